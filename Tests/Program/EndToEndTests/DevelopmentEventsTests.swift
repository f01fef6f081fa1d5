import Crypto
import Foundation
import PayrelayPrimitives
import TestPrograms
import Testing

/// The events that `payrelay-dev` prints and sends.
@Suite struct DevelopmentEventsTests {
    private func order(_ reference: String, amount: Int = 10_000, token: JSON) -> JSON {
        [
            "command": "PURCHASE", "merchant_reference": .string(reference), "amount": JSON(amount), "currency": "AED",
            "language": "en", "customer_email": "sara@example.com", "token": token,
        ]
    }

    @Test("dev --events-url prints a secret, and the events that it sends are signed with it")
    func eventsAreSent() async throws {
        let backend = try EventBackend(answering: 204)
        let development = try await RunningDevelopment(["--events-url", backend.url])
        let secret = try #require(development.program.text.firstMatch(of: /whsec_(\S+)/)).output.1
        let paid = try await development.post("/v1/payments", order("A", token: ["paymentData": ""]))
        #expect(paid.outcome == "captured")
        try await development.program.wait(for: "the event") { !backend.deliveries.isEmpty }
        let event = try #require(backend.deliveries.first)
        let signed = "\(event.headers["webhook-id"] ?? "").\(event.headers["webhook-timestamp"] ?? "").\(event.body)"
        let key = SymmetricKey(data: try #require(Data(base64Encoded: String(secret))))
        let code = Data(HMAC<SHA256>.authenticationCode(for: Data(signed.utf8), using: key)).base64EncodedString()
        #expect(event.headers["webhook-signature"] == "v1,\(code)")
        #expect(event.body.contains(#""payment.captured""#))
    }

    @Test("dev takes the events' secret from a file, and does not print it")
    func theSecretOfAFile() async throws {
        let folder = try TemporaryFolder()
        let secret = "whsec_\(Data(repeating: 7, count: 32).base64EncodedString())"
        let file = try folder.file("secret", secret + "\n")
        let development = try await RunningDevelopment([
            "--events-url", "http://127.0.0.1:9/events", "--events-secret-file", file,
        ])
        #expect(development.program.text.contains("Events go to http://127.0.0.1:9/events, signed.\n"))
        #expect(!development.program.text.contains(secret))
    }

    @Test(
        "dev refuses a wrong use of the options about events",
        arguments: [
            (["--events-url", "http://shop.example/events"], Int32(64), "plain http is for loopback addresses only"),
            (["--events-secret-file", "x"], 64, "--events-secret-file is for --events-url"),
            (
                ["--events-url", "http://127.0.0.1:9/", "--events-secret-file", "/dev/null"], 65,
                "payrelay-dev: /dev/null"
            ),
        ])
    func wrongUse(arguments: [String], status: Int32, text: String) async throws {
        let run = try await RunningProgram.run(["dev", "--port", "0"] + arguments)
        #expect(run.status == status && run.text.contains(text), "\(run.text)")
    }

    @Test(
        "dev prints its instructions, then a warning that names ignored settings, and then its log, as text or as JSON")
    func instructionsComeFirst() async throws {
        for form in ["text", "json"] {
            let program = try RunningProgram(
                ["dev", "--port", "0", "--admin-port", "0", "--sandbox-port", "0"]
                    + (form == "json" ? ["--log-format", "json"] : []),
                environment: ["PAYRELAY_EVENTS_URL": "https://shop.example", "PAYRELAY_TYPO": "x"])
            try await program.wait(toPrint: "admin listening")
            try await program.wait(toPrint: "PAYRELAY_EVENTS_URL,PAYRELAY_TYPO")
            let lines = program.lines
            #expect(lines.first?.hasPrefix("Open http://127.0.0.1:") == true, "\(program.text)")
            let log = lines.drop { !$0.contains(form == "json" ? "{\"time\"" : "Z info ") }
            #expect(log.count >= 3)
            #expect(log.allSatisfy { $0.hasPrefix("{") == (form == "json") }, "\(program.text)")
        }
    }

    @Test("sandbox prints an absolute path of its root, also if the program came alone")
    func theRootIsThere() async throws {
        let folder = try TemporaryFolder()
        let program = folder.url.appending(path: "payrelay-dev")
        try FileManager.default.copyItem(at: RunningProgram.built("payrelay-dev"), to: program)
        let sandbox = try RunningProgram(
            ["-c", "cd / && exec \(program.path) sandbox --port 0"], environment: ["HOME": folder.url.path],
            program: "sh")
        try await sandbox.wait(toPrint: "PAYRELAY_TOKEN_TRUST_ANCHOR_FILE")
        let path = try #require(
            sandbox.text.firstMatch(of: /PAYRELAY_TOKEN_TRUST_ANCHOR_FILE=(\S+)/)
        ).output.1
        #expect(path == "\(folder.url.path)/.payrelay-dev/sandbox-root-ca.pem")
        #expect(
            try String(contentsOfFile: String(path), encoding: .utf8)
                .trimmingCharacters(in: .whitespacesAndNewlines)
                == String(contentsOf: Project.url("certs/sandbox/root-ca.pem"), encoding: .utf8)
                .trimmingCharacters(in: .whitespacesAndNewlines))
    }
}
