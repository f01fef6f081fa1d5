import FortAPI
import Foundation
import OutboundHTTP
import PayrelayPrimitives
import TestPrograms
import Testing

/// After a restart an account's name belongs to another merchant. The old merchant's charges are never queried with the new
/// merchant's credentials.
@Suite struct RestartWithAnotherMerchantTests {
    private let folder: TemporaryFolder
    private let old: String
    private let new: String
    private let both: String

    init() throws {
        let folder = try TemporaryFolder()
        self.folder = folder
        func account(_ name: String, _ merchant: String) -> String {
            """
                \(name):
                  access_code: ACCESS\(merchant)
                  merchant_identifier: \(merchant)
                  request_phrase: request-\(merchant)
                  response_phrase: response-\(merchant)

            """
        }
        func file(_ name: String, _ accounts: String...) throws -> String {
            try folder.file(name, "fort:\n  accounts:\n" + accounts.joined())
        }
        old = try file("old.yaml", account("main", "OLD1"))
        new = try file("new.yaml", account("main", "NEW1"))
        both = try file("both.yaml", account("main", "OLD1"), account("second", "NEW1"))
    }

    /// Returns a relay that charged two orders as the old merchant: one charge got no answer, and the other is captured.
    private func charged(_ open: String, _ paid: String) async throws -> RunningRelay {
        let relay = try await RunningRelay(
            sandbox: try await RunningSandbox(config: both), config: old, ["PAYRELAY_FORT_TIMEOUT_SECONDS": "2"])
        #expect(try await relay.pay(Orders.body(paid).json).outcome == "captured")
        try await relay.sandbox.set(
            "faults",
            [
                "faults": [
                    ["fault": "charge_and_never_answer", "command": "PURCHASE"],
                    ["fault": "never_answer", "command": "CHECK_STATUS"],
                ]
            ])
        #expect(try await relay.pay(Orders.body(open).json).outcome == "uncertain")
        return relay
    }

    @Test(
        "R12: a relay does not start if another merchant has the account of an open payment, which the old one settles")
    func refusesToStart() async throws {
        let (open, paid) = (Orders.reference(), Orders.reference())
        let relay = try await charged(open, paid)
        relay.program.signal(SIGTERM)
        try await relay.program.end()
        try await relay.sandbox.set("faults", ["faults": []])

        let settings = relay.environment.merging(["PAYRELAY_NOT_FOUND_AFTER_SECONDS": "1"]) { $1 }
        let (status, text) = try await RunningProgram.run(["serve", "--config", new], environment: settings)
        #expect(status == 78, "\(text)")
        for word in ["fort main", "OLD1", "NEW1", open, "one open payment", "another name", "by hand"] {
            #expect(text.contains(word), "\(word): \(text)")
        }
        #expect(!text.contains(paid))
        let doctor = try await RunningProgram.run(["doctor", "--config", new, "--json"], environment: settings)
        #expect(doctor.text.contains("open-payments:fort main") && doctor.text.contains(open), "\(doctor.text)")
        // A command beside the relay sends nothing either.
        let synced = try await RunningProgram.run(["payments", "sync", open, "--config", new], environment: settings)
        #expect(synced.text.contains("another merchant"), "\(synced.text)")

        let again = try await RunningRelay(after: relay, config: both)
        #expect(try await again.finalOutcome(of: open) == "captured")
    }

    @Test(
        "R12: without open payments the relay starts, refuses refunds of the old merchant's payments, and takes no hint about them"
    )
    func closedPayments() async throws {
        let (open, paid) = (Orders.reference(), Orders.reference())
        let relay = try await charged(open, paid)
        try await relay.sandbox.set("faults", ["faults": []])
        #expect(try await relay.finalOutcome(of: open) == "captured")
        relay.program.signal(SIGTERM)
        try await relay.program.end()

        let other = try await RunningRelay(after: relay, config: new)
        let before = try await other.get("/v1/payments/\(paid)").body
        let refused = try await other.perform(paid, "refund", ["amount": 100])
        #expect(refused.status == 503, "\(refused.json ?? .null)")
        #expect(refused.json?["detail"]?.stringValue?.contains("another merchant") == true, "\(refused.json ?? .null)")
        let messages = FortMessages(
            relay: other,
            account: FortMessages.Account(
                accessCode: "ACCESSNEW1", merchantIdentifier: "NEW1", responsePhrase: "response-NEW1"))
        #expect(try await messages.post(FortMessages.success(.refund, of: paid)).status == 200)
        try await other.waitForInvestigations(1)
        #expect(try await other.get("/v1/payments/\(paid)").body == before)
        // The new merchant's own orders are charged.
        let own = Orders.reference()
        #expect(try await other.pay(Orders.body(own).json).outcome == "captured")
        let merchants = try await other.sandbox.books().filter { $0["merchant_reference"] == .string(own) }
        #expect(merchants.map { $0["merchant_identifier"] } == ["NEW1"])
    }
}
