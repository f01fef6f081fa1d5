import FortAPI
import Foundation
import OutboundHTTP
import PayrelayPrimitives
import TestPostgres
import TestPrograms
import Testing
import TokenMint

/// A message from FORT counts only for payments of the account that signed it.
@Suite struct OtherAccountTests {
    private let accounts: TwoAccounts

    init() throws { accounts = try TwoAccounts() }

    @Test(
        "R12: feedback signed by another account settles nothing",
        arguments: ["sqlite", "postgres"].filter { $0 == "sqlite" || PostgresServer.isAvailable })
    func feedbackOfAnotherAccountSettlesNothing(journal: String) async throws {
        var settings = ["PAYRELAY_FORT_TIMEOUT_SECONDS": "5"]
        if journal == "postgres" { settings["PAYRELAY_JOURNAL"] = try PostgresServer.shared.get().emptySchema() }
        let relay = try await accounts.relay(settings)
        try await relay.waitUntilVerified()
        try await relay.sandbox.set(
            "faults",
            [
                "faults": [
                    ["fault": "never_answer", "command": "PURCHASE"],
                    ["fault": "never_answer", "command": "CHECK_STATUS"],
                ]
            ])
        let reference = Orders.reference()
        #expect(try await relay.pay(Orders.body(reference).json).outcome == "uncertain")
        let messages = FortMessages(relay: relay, account: TwoAccounts.jordan)
        for command in [FortCommand.purchase, .capture, .refund, .voidAuthorization, .authorization] {
            for kind in ["direct", "notification"] {
                let answer = try await messages.post(FortMessages.success(command, of: reference), to: kind)
                #expect(answer.status == 200)
            }
        }
        try await relay.waitForInvestigations(1)
        let shown = try await relay.get("/v1/payments/\(reference)")
        #expect(shown.outcome == "uncertain" && shown.json?["operations"] == nil)
    }

    /// The signature proves the account. The names in the message must belong to the same account.
    @Test("R12: a message that names another account's merchant is refused")
    func aMessageThatNamesAnotherAccountsMerchantIsRefused() async throws {
        let relay = try await accounts.relay()
        let messages = FortMessages(relay: relay, account: TwoAccounts.jordan)
        for merchantIdentifier in ["UAE1", .null, ["JOR1"], 1, true] as [JSON] {
            var message = FortMessages.success(.purchase, of: Orders.reference())
            message["merchant_identifier"] = merchantIdentifier
            let answer = try await messages.post(message)
            #expect(answer.status == 401 && answer.problem == "feedback-not-proven")
        }
    }

    /// The phrase of one account cannot block the orders of another.
    @Test("R12: another account cannot take a reference before its order is paid")
    func anotherAccountCannotTakeAReferenceBeforeItsOrderIsPaid() async throws {
        let relay = try await accounts.relay()
        let reference = Orders.reference()
        let messages = FortMessages(relay: relay, account: TwoAccounts.jordan)
        #expect(try await messages.post(FortMessages.success(.purchase, of: reference), to: "direct").status == 200)
        try await relay.waitForInvestigations(1)
        #expect(try await relay.get("/v1/payments/\(reference)").status == 404)
        let paid = try await relay.pay(Orders.body(reference).json)
        #expect(paid.status == 200 && paid.outcome == "captured")
        let shown = try await relay.get("/v1/payments/\(reference)")
        #expect(shown.json?["made_elsewhere"] == nil && shown.json?["captured_amount"] == 10_000)
        #expect(try await relay.sandbox.charges(of: reference) == 1)
    }
}
