import AccessControl
import ArgumentParser
import CommandLineParts
import Composition
import Foundation
import PayrelayPrimitives

struct OrderTokenVerify: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Print what the relay says about an order token, claim by claim.",
        discussion: "Exit status 0 if it is accepted, 1 if it is refused, 65 if the keys cannot be used.")

    @Argument(help: "The token; - reads it from standard input, where no other user of the machine can read it.")
    var token: String

    @Option(help: "The relay's PAYRELAY_JWT_KEYS_FILE: a JWK Set, or a public key in PEM.", completion: .file())
    var keys: String

    @OptionGroup var policy: OrderTokenPolicy

    @Flag(help: "Print the verdict as JSON.")
    var json = false

    func run() throws {
        let keys = try readVerificationKeys(from: keys)
        let text = token == "-" ? String(decoding: try readFile("-"), as: UTF8.self) : token
        let verdict = OrderTokenVerdict(
            of: String(text.trimmed), keys: keys, policy: policy.value, at: Date())
        if json { say(verdict.json.formatted()) } else { show(verdict) }
        if !verdict.isAccepted { throw ExitCode(ExitStatus.no.rawValue) }
    }

    private func show(_ verdict: OrderTokenVerdict) {
        var claims = TextTable(widths: [7])
        for claim in verdict.claims.members {
            // The token is untrusted text.
            let name = JSON.string(claim.name).terminalText.dropFirst().dropLast()
            claims.add(verdict.use(of: claim.name).rawValue, String(name), claim.value.terminalText)
        }
        say(claims)
        for error in verdict.errors { say("refused: a payment with it is answered with 400: \(error)") }
        if let refusal = verdict.refusal { say("refused: \(refusal)") }
        let may: String
        switch (verdict.canPay, verdict.canRead) {
        case (true, true): may = "pay and read"
        case (true, false): may = "pay, and not read,"
        case (false, true): may = "read, and not pay,"
        case (false, false):
            if verdict.refusal == nil, verdict.errors.isEmpty {
                say(
                    "refused: it can neither pay nor read its order: to pay needs the scope payments:create and a command, to read payments:read"
                )
            }
            return
        }
        guard let client = verdict.client, let remaining = verdict.remaining else { return }
        say("accepted: for \(remaining.counting("second")) a phone of \(client.name) may \(may) this order")
    }
}
