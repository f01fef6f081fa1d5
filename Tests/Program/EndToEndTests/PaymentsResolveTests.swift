import Foundation
import JournalContract
import PaymentRelay
import PayrelayPrimitives
import SQLJournal
import SQLiteDriver
import TestPrograms
import Testing

/// `payrelay payments resolve`: an operator records by hand an outcome that the gateway leaves open.
@Suite struct PaymentsResolveTests {
    private let folder: TemporaryFolder
    private let finance: AddedOperator
    private let support: AddedOperator

    init() async throws {
        folder = try TemporaryFolder()
        finance = try await AddedOperator("sara", role: "finance")
        support = try await AddedOperator("omar", role: "support")
    }

    private var settings: [String: String] {
        [
            "PAYRELAY_FORT_ACCESS_CODE": "a", "PAYRELAY_FORT_MERCHANT_IDENTIFIER": "m",
            "PAYRELAY_FORT_REQUEST_PHRASE": "p", "PAYRELAY_FORT_RESPONSE_PHRASE": "p",
            "PAYRELAY_JOURNAL": "sqlite:\(folder.path("journal.sqlite"))",
            "PAYRELAY_OPERATORS": "\(finance.line); \(support.line)",
        ]
    }

    /// Makes a payment that has been uncertain for an hour.
    private func openPayment() async throws -> SQLJournal {
        let journal = try SQLJournal(path: folder.path("journal.sqlite"))
        let moment = Date() - 3_600
        let payment = Payment(
            merchantReference: "ORDER-1", command: .purchase, amount: 10_000, currency: "AED", fingerprint: nil,
            appleTransactionIdentifier: nil, claimedAt: moment, gateway: "fort", state: .uncertain)
        #expect(try await journal.record(payment, because: HistoryEntry(at: moment, state: .uncertain)))
        return journal
    }

    private func resolve(
        _ amount: String = "100.00", again: String? = nil, as outcome: String = "captured",
        reason: String = "APS, ticket 4711", of reference: String = "ORDER-1", key: String? = nil
    ) async throws -> (status: Int32, text: String) {
        let result = try await RunningProgram.run(
            [
                "payments", "resolve", reference, "--as", outcome, "--amount", amount, "--confirm-amount",
                again ?? amount, "--reason", reason, "--key-file", "-",
            ], environment: settings, input: (key ?? finance.key) + "\n")
        return (result.status, result.text)
    }

    @Test("the command settles an open payment once, and show says who settled it when and why")
    func settles() async throws {
        let journal = try await openPayment()
        let settled = try await resolve()
        #expect(settled.status == 0, "\(settled.text)")
        #expect(settled.text.contains("by sara: APS, ticket 4711") && settled.text.contains("by operator sara"))
        #expect(try await journal.payment("ORDER-1")?.state == .captured)
        let shown = try await RunningProgram.run(["payments", "show", "ORDER-1", "--json"], environment: settings)
        let json = try JSON(parsing: Array(shown.text.utf8))
        #expect(json["outcome"] == "captured" && json["resolved_by_hand_at"]?.stringValue != nil)
        let again = try await resolve()
        #expect(again.status == 1 && again.text.contains("nothing of the payment is open"))
    }

    @Test("the command refuses another role, an unknown key and wrong amounts, and settles nothing")
    func refuses() async throws {
        let journal = try await openPayment()
        for (result, status, said) in [
            (try await resolve(key: support.key), 1 as Int32, "role does not permit"),
            (try await resolve(key: "payrelay_op_" + String(repeating: "A", count: 43)), 1, "does not have the key"),
            (try await resolve(key: ""), 1, "does not have the key"),
            (try await resolve("100.00", again: "10.00"), 1, "the two amounts differ"),
            (try await resolve("10000"), 1, "must be 100.00 AED"), (try await resolve("0"), 1, "more than zero"),
            (try await resolve("100.001"), 64, "--amount has more than 2 decimals"),
            (try await resolve("100.00", again: "x"), 64, "--confirm-amount is not a number"),
            (try await resolve(as: "paid"), 64, "paid"), (try await resolve(as: "done"), 1, "cannot be done"),
            (try await resolve(reason: " "), 64, "--reason has no text"),
            (try await resolve(reason: String(repeating: "x", count: 501)), 64, "at most 500 characters"),
            (try await resolve(of: "NONE"), 1, "there is no such payment"),
        ] {
            #expect(result.status == status, "\(said): \(result.text)")
            #expect(result.text.contains(said), "\(result.text)")
        }
        #expect(try await journal.payment("ORDER-1")?.state == .uncertain)
    }
}
