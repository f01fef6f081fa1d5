import ApplePayToken
import ArgumentParser
import Foundation

struct TokenInspect: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect", abstract: "Show what is in a token, without judging it.")

    @Argument(help: "A file with the token as JSON, in any shape that apps send.", completion: .file())
    var file: String

    func run() throws {
        let token = try readToken(from: file)
        let verification = TokenVerifier().verify(token, at: .signingTime)
        say("version                \(token.version.rawValue)")
        say("transactionId          \(token.header.transactionId.text)")
        say("publicKeyHash          \(token.header.publicKeyHash.text)")
        say("applicationData        \(token.header.applicationData?.text ?? "none")")
        say("data                   \(token.data.bytes.count) bytes, \(token.data.text.count) characters of base64")
        say(
            "signature              \(token.signature.bytes.count) bytes, \(token.signature.text.count) characters of base64"
        )
        say("signing time           \(verification.signingTime?.formatted(.iso8601) ?? "none")")
        for certificate in verification.certificates {
            say("certificate            \(certificate.subject)")
            say("  serial number        \(certificate.serialNumber)")
            say(
                "  valid                \(certificate.notBefore.formatted(.iso8601)) to \(certificate.notAfter.formatted(.iso8601))"
            )
        }
        let method = token.paymentMethod
        say(
            "paymentMethod          \(method?.displayName ?? "none"), \(method?.network ?? "none"), \(method?.type?.rawValue ?? "none")"
        )
    }
}
