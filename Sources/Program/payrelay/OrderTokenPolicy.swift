import CommandLineParts
import AccessControl
import ArgumentParser
import Composition
import PayrelayAPI

/// The relay's settings that an order token has to fit.
struct OrderTokenPolicy: ParsableArguments {
    @Option(help: "The relay's PAYRELAY_JWT_AUDIENCE.")
    var audience = "payrelay"

    @Option(help: "The relay's PAYRELAY_JWT_ISSUER.")
    var issuer: String?

    @Option(help: "The relay's PAYRELAY_JWT_ORDER_LIFETIME_SECONDS_MAX.")
    var lifetimeMax = OrderTokenClaims.lifetimeLimit

    func validate() throws {
        guard (60...86_400).contains(lifetimeMax) else {
            throw UsageError("--lifetime-max must be 60 to 86400 seconds")
        }
    }

    var value: JWTPolicy {
        JWTPolicy(
            audience: audience, issuer: issuer, orderLifetimeLimit: .seconds(lifetimeMax),
            orderFields: OrderTokenVerdict.pinning)
    }
}
