import AccessControl
import ArgumentParser
import CommandLineParts
import Composition
import Foundation
import PayrelayAPI
import PayrelayPrimitives

struct OrderTokenSign: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign", abstract: "Sign an order token, to try the relay out.",
        discussion: """
            Prints the token on standard output. A token that the relay would refuse is not signed, and neither is one with a \
            claim that pins nothing. In production the merchant's backend signs: docs/order-tokens.md has the lines for it.

            payrelay order-token sign --key backend.json --merchant-reference ORDER-1001 --amount 100.00 --currency AED
            """)

    @Option(
        help: "A JWK Set with a private or shared key, or a private key in PEM: P-256 or RSA.", completion: .file())
    var key: String

    @Option(help: "The kid of the key: which one of a set, or the name of a PEM key.")
    var kid: String?

    @Option(help: "The client_id; needed if the relay's key names no client.")
    var client: String?

    @OptionGroup var policy: OrderTokenPolicy

    @Option(
        help: ArgumentHelp("How long the token is valid.", valueName: "duration"),
        transform: { try TimeSpan(parsing: $0) })
    var expiresIn: TimeSpan = "5m"

    @Option(help: "AUTHORIZATION or PURCHASE; none for a token that reads and does not pay.")
    var command = OrderTokenCommand.pays(.purchase)

    @Option(help: "The order's.")
    var merchantReference: String

    @Option(help: "In the currency's own unit: 100.00.")
    var amount: String

    @OptionGroup var unit: AmountUnit

    @Option(help: "ISO 4217, three letters.")
    var currency: String

    @Option(name: .customLong("claim"), help: "name=value: a further field of the order to pin. Repeatable.")
    var claims: [String] = []

    @Option(help: "Separated by commas: payments:create, payments:read and, for a web page, sessions:create.")
    var scopes = "payments:create,payments:read"

    func run() throws {
        guard unit.isMinor || Currency(code: currency) != nil else {
            throw UsageError("--currency must be a currency of ISO 4217: three capital letters")
        }
        let claims = OrderTokenClaims(
            audience: policy.audience, issuer: policy.issuer, client: client,
            issuedAt: Int(Date().timeIntervalSince1970),
            lifetime: try expiresIn.wholeSeconds("--expires-in", in: 0...604_800),
            scopes: scopes.parts(at: ",").map(String.init),
            command: command.value, merchantReference: merchantReference,
            amount: try unit.amount(amount, "--amount", in: Currency(code: currency)).value,
            currency: currency, fields: try fields())
        let errors = claims.errors(lifetimeLimit: try policy.lifetimeLimit())
        guard errors.isEmpty else { throw UsageError(Self.lines(errors)) }
        let key = try readSigningKey(from: key, named: kid)
        let token = try key.token(claims.json)
        let verdict = OrderTokenVerdict(of: token, keys: [key.verificationKey], policy: policy.value, at: Date())
        if let refusal = verdict.refusal { throw UsageError("The relay would refuse it: \(refusal).") }
        guard verdict.errors.isEmpty else { throw UsageError(Self.lines(verdict.errors)) }
        say(token)
    }

    private func fields() throws -> [String: String] {
        var fields: [String: String] = [:]
        for claim in claims {
            let (before, value) = claim.cut(at: "=")
            guard let value, !before.isEmpty else { throw UsageError("--claim must be name=value") }
            let name = String(before)
            guard fields.updateValue(String(value), forKey: name) == nil else {
                throw UsageError("--claim \(name) is given twice")
            }
        }
        return fields
    }

    private static func lines(_ errors: [PayrelayPrimitives.ValidationError]) -> String {
        errors.map { "The claim \($0)." }.joined(separator: "\n")
    }
}

/// The value of `--command`: a payment command, or `none`.
enum OrderTokenCommand: ExpressibleByArgument, CustomStringConvertible {
    case pays(PaymentCommand)
    case none

    init?(argument: String) {
        guard argument != "none" else {
            self = .none
            return
        }
        guard let command = PaymentCommand(documented: argument) else { return nil }
        self = .pays(command)
    }

    var value: PaymentCommand? {
        if case .pays(let command) = self { command } else { nil }
    }

    var description: String { value?.rawValue ?? "none" }
    var defaultValueDescription: String { description }
}
