import AccessControl
import ArgumentParser
import CommandLineParts
import Composition

/// The relay's settings that an order token must comply with.
struct OrderTokenPolicy: ParsableArguments {
    @Option(help: "The relay's PAYRELAY_JWT_AUDIENCE.")
    var audience = "payrelay"

    @Option(help: "The relay's PAYRELAY_JWT_ISSUER.")
    var issuer: String?

    @Option(
        help: ArgumentHelp("The relay's PAYRELAY_JWT_ORDER_LIFETIME_SECONDS_MAX.", valueName: "duration"),
        transform: { try TimeSpan(parsing: $0) })
    var lifetimeMax: TimeSpan = "1h"

    func validate() throws { _ = try lifetimeLimit() }

    /// Returns the limit in seconds.
    func lifetimeLimit() throws(UsageError) -> Int { try lifetimeMax.wholeSeconds("--lifetime-max", in: 60...86_400) }

    var value: JWTPolicy {
        JWTPolicy(
            audience: audience, issuer: issuer, orderLifetimeLimit: lifetimeMax.value,
            orderFields: OrderTokenVerdict.pinning)
    }
}
