import FortModule
import Foundation
import JournalContract
import PaymentRelay
import PayrelayPrimitives
import Testing

@testable import TransactionReport

/// Reports against a journal in memory. Times are seconds after 2027-01-15T08:00:00Z.
@Suite struct ReconciliationTests {
    private let journal = MemoryJournal()

    private func pay(
        _ reference: String, _ state: PaymentState, captured: MinorUnits = 0, amount: MinorUnits = 1_000,
        account: String? = nil, at seconds: Double = 3_600
    ) async throws {
        let moment = Date.wholeSecond + seconds
        let sample = Claim.sample(reference, token: abs(reference.hashValue))
        let payment = Payment(
            merchantReference: reference, command: .authorization, amount: amount, currency: "AED",
            fingerprint: RequestFingerprint(bytes: [1]),
            appleTransactionIdentifier: sample.payment.appleTransactionIdentifier, claimedAt: moment,
            processor: "fort",
            account: account)
        let claim = Claim(payment: payment, token: sample.token, idempotencyKey: nil, entry: sample.entry)
        #expect(await journal.claim(claim) == .claimed)
        let entry = HistoryEntry(at: moment, state: state, balance: Balance(captured: captured))
        if state != .processing { #expect(try await journal.transition(payment, receipt: nil, because: entry)) }
    }

    private func change(
        _ reference: String, _ state: PaymentState, captured: MinorUnits = 0, refunded: MinorUnits = 0,
        at seconds: Double
    ) async throws {
        let payment = try #require(await journal.payment(reference))
        var changed = payment
        changed.state = state
        changed.balance = Balance(captured: captured, refunded: refunded)
        let entry = HistoryEntry(at: .wholeSecond + seconds, state: state, balance: changed.balance)
        #expect(try await journal.compareAndSet(payment, to: changed, because: entry))
    }

    /// Each finding as its kind, its subject and its reference; the report is of 08:00 to 10:00.
    private func compare(
        _ lines: [String], account: String? = nil,
        header: String = "merchant_reference,command,amount,currency,status,date"
    ) async throws -> [String] {
        var text = Array((([header] + lines).joined(separator: "\r\n") + "\r\n").utf8)[...]
        let reconciliation = ReportReconciliation(
            form: ReportForm(), account: account, from: .wholeSecond, until: .wholeSecond + 7_200,
            code: FortModule.reportedOutcome)
        var found: [String] = []
        _ = try await reconciliation.run(
            over: {
                defer { text = text.dropFirst(100) }
                return Array(text.prefix(100))
            }, against: journal
        ) { finding in
            switch finding {
            case .malformed(let lines, _): found.append("malformed \(lines)")
            case .difference(let difference):
                found.append("\(difference.kind.rawValue) \(difference.subject) \(difference.merchantReference)")
            }
        }
        return found
    }

    private static let time = "2027-01-15 09:00:00"
    private func line(_ reference: String, _ command: String, _ amount: String, _ status: String = "Success") -> String
    {
        "\(reference),\(command),\(amount),AED,\(status),\(Self.time)"
    }

    @Test func whatAgreesIsNoDifference() async throws {
        try await pay("captured", .captured, captured: 1_000)
        try await pay("authorized", .authorized)
        try await pay("declined", .declined)
        try await pay("voided", .authorized)
        try await change("voided", .voided, at: 3_700)
        try await pay("parts", .authorized)
        try await change("parts", .partiallyCaptured, captured: 300, at: 3_700)
        try await change("parts", .captured, captured: 1_000, at: 3_800)
        try await change("parts", .partiallyRefunded, captured: 1_000, refunded: 50, at: 3_900)
        let lines = [
            line("parts", "CAPTURE", "3.00"), line("captured", "PURCHASE", "10.00"),
            line("authorized", "AUTHORIZATION", "10.00"), line("declined", "PURCHASE", "10.00", "13"),
            line("voided", "VOID_AUTHORIZATION", "10.00"), line("voided", "AUTHORIZATION", "10.00"),
            line("parts", "REFUND", "0.50"), line("parts", "REFUND", "9.00", "07"), line("parts", "CAPTURE", "7.00"),
            line("parts", "AUTHORIZATION", "10.00"), line("nobody", "PURCHASE", "5.00", "failed"),
        ]
        #expect(try await compare(lines).isEmpty)
    }

    @Test("a void of a payment of which a part was captured is the lifting of the rest, and no difference")
    func theRestOfAHoldMayBeLifted() async throws {
        try await pay("part", .partiallyCaptured, captured: 400)
        try await pay("refunded", .partiallyCaptured, captured: 400)
        try await change("refunded", .refunded, captured: 400, refunded: 400, at: 3_700)
        // What was captured became known after the void.
        try await pay("later", .authorized)
        try await change("later", .voided, at: 3_700)
        try await change("later", .partiallyCaptured, captured: 400, at: 3_800)
        try await pay("whole", .captured, captured: 1_000)
        let lines = ["part", "refunded", "later"].flatMap {
            [line($0, "AUTHORIZATION", "10.00"), line($0, "CAPTURE", "4.00"), line($0, "VOID_AUTHORIZATION", "10.00")]
        }
        let others = [line("refunded", "REFUND", "4.00"), line("whole", "PURCHASE", "10.00")]
        #expect(try await compare(lines + others).isEmpty)
        #expect(
            try await compare(lines + others + [line("whole", "VOID_AUTHORIZATION", "10.00")]) == [
                "operation_unknown_here void whole"
            ])
    }

    @Test func everyKindOfDifferenceIsFound() async throws {
        for (reference, state, captured) in [
            ("amount", PaymentState.captured, 1_000), ("currency", .captured, 1_000), ("state", .declined, 0),
            ("open", .uncertain, 0), ("failed", .captured, 1_000), ("capture", .authorized, 0),
            ("void", .authorized, 0),
            ("refund", .captured, 1_000), ("missing", .captured, 1_000), ("less", .captured, 1_000),
        ] as [(String, PaymentState, MinorUnits)] {
            try await pay(reference, state, captured: captured)
        }
        try await change("less", .partiallyRefunded, captured: 1_000, refunded: 500, at: 3_700)
        let found = try await compare([
            line("amount", "PURCHASE", "10.01"), "currency,PURCHASE,10.00,SAR,14,\(Self.time)",
            line("state", "PURCHASE", "10.00"), line("open", "PURCHASE", "10.00"),
            line("failed", "PURCHASE", "10.00", "13"),
            line("capture", "AUTHORIZATION", "10.00"), line("capture", "CAPTURE", "4.00"),
            line("void", "AUTHORIZATION", "10.00"), line("void", "VOID_AUTHORIZATION", "10.00"),
            line("refund", "PURCHASE", "10.00"), line("refund", "REFUND", "1.00"), line("unknown", "PURCHASE", "1.00"),
            line("less", "PURCHASE", "10.00"),
        ])
        #expect(
            found == [
                "amount charge amount", "operation_unknown_here capture capture", "currency charge currency",
                "state charge failed", "unknown_there refund less", "state charge open",
                "operation_unknown_here refund refund", "state charge state", "unknown_here charge unknown",
                "operation_unknown_here void void", "unknown_there charge missing",
            ])
    }

    /// A report of a day has the day's refund of a payment of the day before, and not its charge.
    @Test func whatHappenedOutsideTheReportsTimeIsNotMissed() async throws {
        try await pay("earlier", .captured, captured: 1_000, at: -90_000)
        try await change("earlier", .partiallyRefunded, captured: 1_000, refunded: 300, at: 3_600)
        try await pay("later", .captured, captured: 1_000)
        try await change("later", .refunded, captured: 1_000, refunded: 1_000, at: 90_000)
        try await pay("before", .captured, captured: 1_000, at: -3_600)
        try await pay("after", .captured, captured: 1_000, at: 7_200)
        let lines = [line("earlier", "REFUND", "3.00"), line("later", "PURCHASE", "10.00")]
        #expect(try await compare(lines).isEmpty)
        #expect(try await compare([line("earlier", "REFUND", "2.00"), lines[1]]) == ["amount refund earlier"])
        #expect(
            try await compare([line("earlier", "REFUND", "3.01"), lines[1]]) == [
                "operation_unknown_here refund earlier"
            ])
    }

    @Test func anOperationThatOnlyFailedThereAndIsDoneHereIsADifference() async throws {
        try await pay("capture", .authorized, at: -90_000)
        try await change("capture", .captured, captured: 1_000, at: 3_700)
        try await pay("refund", .captured, captured: 1_000, at: -90_000)
        try await change("refund", .refunded, captured: 1_000, refunded: 1_000, at: 3_700)
        try await pay("void", .authorized, at: -90_000)
        try await change("void", .voided, at: 3_700)
        // Neither side moved anything.
        try await pay("declined", .declined)
        try await pay("kept", .captured, captured: 1_000, at: -90_000)
        let found = try await compare([
            line("capture", "CAPTURE", "10.00", "failed"), line("refund", "REFUND", "10.00", "07"),
            line("void", "VOID_AUTHORIZATION", "10.00", "failed"), line("declined", "REFUND", "10.00", "07"),
            line("kept", "REFUND", "10.00", "07"),
        ])
        #expect(
            found == ["unknown_there capture capture", "unknown_there refund refund", "unknown_there void void"])
    }

    @Test("Without a command a refund that failed says nothing about the charge")
    func aFailureWithoutACommand() async throws {
        for reference in ["charge", "refund", "word"] {
            try await pay(reference, .captured, captured: 1_000, at: -90_000)
        }
        let lines = [("charge", "13"), ("refund", "07"), ("word", "failed")].map { reference, status in
            "\(reference),10.00,AED,\(status),\(Self.time)"
        }
        let found = try await compare(lines, header: "merchant_reference,amount,currency,status,date")
        #expect(found == ["state charge charge"])
    }

    /// FORT's clock and this service's put a charge on different sides of the report's ends.
    @Test func clocksThatDifferByLessThanTheMarginMakeNoDifference() async throws {
        try await pay("first", .captured, captured: 1_000, at: 30)
        try await pay("last", .captured, captured: 1_000, at: 7_199)
        try await pay("inside", .captured, captured: 1_000, at: 90)
        #expect(try await compare([]) == ["unknown_there charge inside"])
    }

    @Test func aReportIsOfOneAccount() async throws {
        try await pay("one", .captured, captured: 1_000, account: "one")
        try await pay("two", .captured, captured: 1_000, account: "two")
        #expect(try await compare([], account: "one") == ["unknown_there charge one"])
        #expect(
            try await compare([line("two", "PURCHASE", "10.00"), line("one", "PURCHASE", "10.00")], account: "one")
                == ["unknown_here charge two"])
    }

    @Test func everyLineThatCannotBeReadIsNamed() async throws {
        let found = try await compare([
            line("A", "PURCHASE", "1.00", "13"), "A,PURCHASE", line("A", "PURCHASE", "x"), "\"A,PURCHASE",
            line("=A", "PURCHASE", "1.00"), "", line("A", "PURCHASE", "1.00", "13"),
        ])
        #expect(found == ["malformed 3...3", "malformed 4...4", "malformed 5...8"])
    }
}
