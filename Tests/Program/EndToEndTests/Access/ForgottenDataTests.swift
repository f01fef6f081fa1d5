import Crypto
import Foundation
import OutboundHTTP
import PayrelayPrimitives
import Testing

@Suite struct ForgottenDataTests {
    @Test("S1: forgotten data is in none of the journal's files, while the relay continues")
    func isInNoFile() async throws {
        let relay = try await RunningRelay()
        let reference = Orders.reference()
        let customer = [
            "customer_email": "zoraida@example.com", "customer_name": "Zoraida Amal",
            "phone_number": "+962797219966",
        ]
        var body = try Orders.body(reference)
        for (name, value) in customer { body[name] = .string(value) }
        let paid = try await relay.pay(body.json)
        #expect(paid.outcome == "captured", "\(paid.faultyFields)")
        let refund = try await relay.post(
            "/v1/payments/\(reference)/refund", JSON.object(["amount": "100"]).encoded(),
            headers: [("Idempotency-Key", "k")])
        #expect(refund.status == 200, "\(refund.faultyFields)")
        // More payments follow, so that the customer's data is in the middle of the log.
        for _ in 0..<5 { #expect(try await relay.pay(Orders.body().json).outcome == "captured") }
        let before = try relay.journalBytes
        for value in customer.values { #expect(before.range(of: Data(value.utf8)) != nil, "\(value)") }
        let digests = ["97219966", "amal zoraida"].map { Data(SHA256.hash(data: Data($0.utf8))) }
        for digest in digests { #expect(before.range(of: digest) != nil) }

        let forgotten = try await RunningProgram.run(["forget", reference], environment: relay.environment)
        #expect(forgotten.status == 0 && forgotten.text.contains("erased"), "\(forgotten)")

        for (file, content) in try relay.journalFiles {
            for (name, value) in customer {
                #expect(content.range(of: Data(value.utf8)) == nil, "\(name) is in \(file)")
            }
            for digest in digests { #expect(content.range(of: digest) == nil, "a digest is in \(file)") }
        }
        #expect(try await relay.admin("/ready").status == 200)
        #expect(try await relay.pay(Orders.body().json).outcome == "captured")
        #expect(try await relay.get("/v1/payments/\(reference)").outcome == "partially_refunded")
    }

    @Test("An email is forgotten completely: the command prints each payment, and the reason if one is not erased")
    func forgetsAnEmail() async throws {
        let relay = try await RunningRelay()
        var references: [String] = []
        for _ in 0..<3 {
            references.append(Orders.reference())
            var body = try Orders.body(references[references.count - 1])
            body["customer_email"] = .string(references.count == 3 ? "omar@example.com" : "Zoraida@example.com")
            #expect(try await relay.pay(body.json).outcome == "captured")
        }
        func forget(_ options: [String]) async throws -> (status: Int32, text: String) {
            try await RunningProgram.run(["forget"] + options, environment: relay.environment)
        }
        let email = ["--email", "zoraida@EXAMPLE.com"]
        let dry = try await forget(email + ["--dry-run"])
        #expect(dry.status == 0 && dry.text.contains("\(references[0])  can be erased"), "\(dry)")
        let done = try await forget(email)
        #expect(done.status == 0 && !done.text.contains(references[2]), "\(done)")
        for reference in references.prefix(2) { #expect(done.text.contains("\(reference)  erased"), "\(done)") }
        let again = try await forget(email)
        #expect(again.status == 1 && again.text.contains("no payment has this email"), "\(again)")
        for (file, content) in try relay.journalFiles {
            #expect(content.range(of: Data("Zoraida@example.com".utf8)) == nil, "\(file)")
        }
        let other = try await RunningProgram.run(
            ["payments", "list", "--customer-email", "omar@example.com"], environment: relay.environment)
        #expect(other.status == 0 && other.text.contains(references[2]), "\(other)")
        for wrong in [[], ["A", "--email", "b@example.com"], ["A", "--dry-run"]] {
            #expect(try await forget(wrong).status == 64, "\(wrong)")
        }
    }

    @Test("S1: if a reader holds the log, the command says that the files are not clean yet")
    func saysWhereAReaderPreventsIt() async throws {
        let relay = try await RunningRelay()
        let reference = Orders.reference()
        #expect(try await relay.pay(Orders.body(reference).json).outcome == "captured")
        let reader = try RunningProgram(
            [
                "-c",
                """
                import sqlite3, sys, time
                database = sqlite3.connect(sys.argv[1])
                database.execute("BEGIN")
                database.execute("SELECT count(*) FROM payment").fetchall()
                print("reading", flush=True)
                time.sleep(3600)
                """, relay.journalPath,
            ], program: "python3")
        try await reader.wait(for: "the reader") { reader.text.contains("reading") }
        let forgotten = try await RunningProgram.run(["forget", reference], environment: relay.environment)
        #expect(forgotten.status == 0 && forgotten.text.contains("erased; a running relay"), "\(forgotten)")
        #expect(try await relay.pay(Orders.body().json).outcome == "captured")
    }
}
