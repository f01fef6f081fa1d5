public import ApplePayToken
public import ArgumentParser
import CommandLineParts
import Foundation
import PayrelayPrimitives

struct TokenVerify: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Check a token, and print each check with its verdict.",
        discussion: "Exit status 0 if every check passes, 1 if one fails, 65 if the file is not a token.")

    @Argument(help: "A file with the token as JSON, in any shape that apps send.", completion: .file())
    var file: String

    @Option(help: "When to judge it: now, signing (the time it says it was signed at), or a time as in RFC 3339.")
    var at = Moment.instant(Date())

    @Option(help: "A PEM file with the root to trust in place of Apple Root CA - G3.", completion: .file())
    var anchor: String?

    @Option(
        parsing: .upToNextOption,
        help: "PEM files with the merchant's payment processing certificates: the token must be for one of them.",
        completion: .file())
    var certificates: [String] = []

    @Flag(help: "Refuse signers of Apple's sandbox.")
    var refuseSandbox = false

    @Option(help: "The SHA-256 of the payment request's applicationData as hex: the token must carry it.")
    var applicationDataHash: HexText?

    @Flag(help: "Print the verdict as JSON.")
    var json = false

    @Option(
        help: ArgumentHelp("How far the signing time may lie from then, either way.", valueName: "duration"),
        transform: { try TimeSpan(parsing: $0) })
    var freshness: TimeSpan = "5m"

    func run() throws {
        let token = try readToken(from: file)
        let verifier = TokenVerifier(
            anchor: try trustAnchor(from: anchor), freshness: freshness.value,
            processingCertificates: ProcessingCertificates(try certificates.flatMap(processingCertificates)),
            sandboxSigners: refuseSandbox ? .refused : .accepted)
        let verification = verifier.verify(token, at: at, applicationDataHash: applicationDataHash)
        if json { say(verification.json.formatted()) } else { show(verification) }
        if !verification.isValid { throw ExitCode(ExitStatus.no.rawValue) }
    }

    private func show(_ verification: TokenVerification) {
        say(table: verification.checks.map { [$0.verdict.sign, $0.name.rawValue, $0.detail] })
        say(verification.isValid ? "valid" : "refused: \(verification.firstFailure?.name.rawValue ?? "unknown")")
    }
}

extension Moment: ExpressibleByArgument {
    public init?(argument: String) {
        switch argument {
        case "now": self = .instant(Date())
        case "signing": self = .signingTime
        default:
            guard let date = try? Date(argument, strategy: .iso8601) else { return nil }
            self = .instant(date)
        }
    }

    public var defaultValueDescription: String { "now" }
}
