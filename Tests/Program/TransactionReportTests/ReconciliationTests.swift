import FortModule
import Foundation
import GatewayModule
import JournalContract
import PaymentRelay
import PayrelayPrimitives
import Testing

@testable import payrelay

/// Comparisons of reports with a journal in memory. Times are seconds after 2027-01-15T08:00:00Z.
@Suite struct ReconciliationTests {
    private let journal = MemoryJournal()

    /// - Parameter seconds: The time of the payment's claim, and of its outcome unless `recorded` gives another time.
    private func pay(
        _ reference: String, _ state: PaymentState, captured: MinorUnits = 0, amount: MinorUnits = 1_000,
        account: String? = nil, at seconds: Double = 3_600, recorded: Double? = nil
    ) async throws {
        let moment = Date.wholeSecond + seconds
        let sample = Change.sample(reference, token: abs(reference.hashValue))
        let payment = Payment(
            merchantReference: reference, command: .authorization, amount: amount, currency: "AED",
            fingerprint: RequestFingerprint(bytes: [1]),
            appleTransactionIdentifier: sample.after.appleTransactionIdentifier, claimedAt: moment,
            gateway: "fort",
            account: account)
        let claim = Change(claiming: payment, token: sample.claimed?.token, idempotencyKey: nil, because: sample.entry)
        #expect(await journal.claim(claim) == .written)
        let entry = HistoryEntry(
            at: recorded.map { .wholeSecond + $0 } ?? moment, state: state, balance: Balance(captured: captured))
        if state != .processing { #expect(try await journal.transition(payment, receipt: nil, because: entry)) }
    }

    /// - Parameters:
    ///   - begun: The time when the relay began the refund that changed the payment, or `nil` if the change is not a refund of
    ///     the relay.
    ///   - source: The source from which the relay learned of the change.
    private func change(
        _ reference: String, _ state: PaymentState, captured: MinorUnits = 0, refunded: MinorUnits = 0,
        at seconds: Double, begun: Double? = nil, source: HistorySource? = nil
    ) async throws {
        let payment = try #require(await journal.payment(reference))
        var changed = payment
        changed.state = state
        changed.balance = Balance(captured: captured, refunded: refunded)
        let moment = Date.wholeSecond + seconds
        if let begun {
            changed.operations.append(
                PaymentOperation(
                    command: .refund, amount: refunded, maintenanceReference: nil, idempotencyKey: "key \(seconds)",
                    before: payment.balance, begunAt: .wholeSecond + begun, state: .done, changedAt: moment))
        }
        let entry = HistoryEntry(at: moment, state: state, balance: changed.balance, source: source)
        #expect(try await journal.compareAndSet(payment, to: changed, because: entry))
    }

    private static let header = "merchant_reference,command,amount,currency,status,date"

    /// Returns each finding as its kind, its subject and its reference. The report is about 08:00 to 10:00, unless `period`
    /// says otherwise.
    private func compare(
        _ lines: [String], account: String? = nil, header: String = Self.header,
        period: Range<Double>? = 0..<7_200,
        status: @escaping @Sendable (String) -> ReportedOutcome? = FortModule.reportedOutcome,
        dates: ReportForm.DateOrder = .yearMonthDay, against journal: (any Journal)? = nil,
        archive: ReportReconciliation.ArchiveReader? = nil
    ) async throws -> [String] {
        var text = Array((([header] + lines).joined(separator: "\r\n") + "\r\n").utf8)[...]
        let reconciliation = ReportReconciliation(
            form: ReportForm(dates: dates), account: account, from: period.map { .wholeSecond + $0.lowerBound },
            until: period.map { .wholeSecond + $0.upperBound }, code: status)
        var found: [String] = []
        _ = try await reconciliation.run(
            over: {
                defer { text = text.dropFirst(100) }
                return Array(text.prefix(100))
            }, against: journal ?? self.journal, archive: archive
        ) { finding in
            switch finding {
            case .malformed(let lines, _): found.append("malformed \(lines)")
            case .difference(let difference):
                found.append("\(difference.kind.rawValue) \(difference.subject) \(difference.merchantReference)")
                if let reason = difference.reason { found.append(reason) }
            }
        }
        return found
    }

    private static let time = "2027-01-15 09:00:00"
    private func line(
        _ reference: String, _ command: String, _ amount: String, _ status: String = "Success",
        _ time: String = Self.time
    ) -> String {
        "\(reference),\(command),\(amount),AED,\(status),\(time)"
    }

    @Test func aPaymentThatAgreesIsNotADifference() async throws {
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
        // The capture became known after the void.
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

    /// A day's report has the day's refund of a payment of the previous day, but not its charge.
    @Test func movementsOutsideTheReportsTimeAreNotMissed() async throws {
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

    private static let day = 86_400.0

    /// Returns the period of a day's report, in seconds after 08:00 of the first day.
    private static func period(ofDay day: Int) -> Range<Double> {
        let start = Double(day) * Self.day - 8 * 3_600
        return start..<(start + Self.day)
    }

    @Test(
        "a report of the second day that repeats the first day's charge, refund, void or authorization differs from the books",
        arguments: ["2027-01-16 09:00:00", "2027-01-15 09:00:00", "2027-01-16", "2027-01-15"])
    func anotherDaysMovementsRepeated(time: String) async throws {
        try await pay("charge", .captured, captured: 1_000)
        try await pay("refund", .captured, captured: 1_000)
        try await change("refund", .refunded, captured: 1_000, refunded: 1_000, at: 3_700, begun: 3_690)
        try await pay("void", .authorized)
        try await change("void", .voided, at: 3_700)
        try await pay("hold", .authorized)
        let first = [
            line("charge", "PURCHASE", "10.00"), line("refund", "PURCHASE", "10.00"), line("refund", "REFUND", "10.00"),
            line("void", "AUTHORIZATION", "10.00"), line("void", "VOID_AUTHORIZATION", "10.00"),
            line("hold", "AUTHORIZATION", "10.00"),
        ]
        #expect(try await compare(first, period: Self.period(ofDay: 0)).isEmpty)
        let second = try await compare(
            first.map { $0.replacing(Self.time, with: time) }, period: Self.period(ofDay: 1))
        #expect(Set(second.map { $0.split(separator: " ")[0] }) == ["other_time"])
        #expect(Set(second.map { $0.split(separator: " ")[2] }) == ["charge", "refund", "void", "hold"])
        // Without a date column, only the period gives the time.
        let undated = try await compare(
            first.map { String($0.dropLast(Self.time.count + 1)) },
            header: "merchant_reference,command,amount,currency,status",
            period: Self.period(ofDay: 1))
        #expect(Set(undated.map { $0.split(separator: " ")[2] }) == ["charge", "refund", "void", "hold"])
    }

    @Test(
        "a report of the second day has the second day's refund of a payment in parts, and neither the first's nor both"
    )
    func aDaysPartOfTheRefunds() async throws {
        try await pay("A", .captured, captured: 1_000)
        try await change("A", .partiallyRefunded, captured: 1_000, refunded: 300, at: 3_700)
        try await change("A", .partiallyRefunded, captured: 1_000, refunded: 500, at: 3_700 + Self.day)
        let period = Self.period(ofDay: 1)
        for (amount, expected) in [
            ("2.00", []), ("3.00", ["other_time refund A"]), ("5.00", ["other_time refund A"]),
            ("5.01", ["operation_unknown_here refund A"]), ("1.99", ["amount refund A"]),
        ] {
            let found = try await compare([line("A", "REFUND", amount, "06", "2027-01-16 09:00")], period: period)
            #expect(found == expected, "\(amount)")
        }
        #expect(try await compare([], period: period) == ["unknown_there refund A"])
    }

    @Test("a movement whose answer was lost before midnight may be in the report of either day, and in no third")
    func aMovementThatWasLearnedLate() async throws {
        let midnight = 16.0 * 3_600
        // The charge was claimed before midnight, and a query found it after midnight.
        try await pay("charge", .captured, captured: 1_000, at: midnight - 600, recorded: midnight + 600)
        // The relay began this refund before midnight.
        try await pay("refund", .captured, captured: 1_000)
        try await change(
            "refund", .refunded, captured: 1_000, refunded: 1_000, at: midnight + 600, begun: midnight - 600)
        // A refund in the dashboard was found two days later.
        try await pay("dashboard", .captured, captured: 1_000)
        try await change(
            "dashboard", .refunded, captured: 1_000, refunded: 1_000, at: midnight + 2 * Self.day,
            source: .checkStatus(by: .report))
        let charge = line("charge", "PURCHASE", "10.00", "14", "2027-01-15")
        let others = [line("refund", "PURCHASE", "10.00"), line("dashboard", "PURCHASE", "10.00")]
        let refunds = [
            line("refund", "REFUND", "10.00", "06", "2027-01-15"),
            line("dashboard", "REFUND", "10.00", "06", "2027-01-15"),
        ]
        #expect(try await compare(others + [charge] + refunds, period: Self.period(ofDay: 0)).isEmpty)
        #expect(try await compare(others, period: Self.period(ofDay: 0)).isEmpty)
        #expect(try await compare([], period: Self.period(ofDay: 1)).isEmpty)
        #expect(try await compare([], period: Self.period(ofDay: 2)).isEmpty)
        let tomorrow = ([charge] + refunds).map { $0.replacing("2027-01-15", with: "2027-01-16") }
        #expect(try await compare(tomorrow, period: Self.period(ofDay: 1)).isEmpty)
        let third = ([charge] + refunds).map { $0.replacing("2027-01-15", with: "2027-01-19") }
        #expect(
            try await compare(third, period: Self.period(ofDay: 4)) == [
                "other_time charge charge", "other_time refund dashboard", "other_time refund refund",
            ])
    }

    @Test("a movement within the margin of the period's end may be in the report; beyond the margin it is another time")
    func theMarginOfTheEnds() async throws {
        for (reference, seconds) in [("before", -59.0), ("early", -61), ("after", 7_259), ("late", 7_261)] {
            try await pay(reference, .captured, captured: 1_000, at: seconds)
        }
        let lines = ["before", "early", "after", "late"].map { line($0, "PURCHASE", "10.00") }
        #expect(try await compare(lines) == ["other_time charge early", "other_time charge late"])
        let edges = ["2027-01-15 07:59:00", "2027-01-15 10:00:59", "2027-01-15 07:58:59", "2027-01-15 10:01:00"]
        let dated = zip(["before", "after", "early", "late"], edges).map { line($0, "PURCHASE", "10.00", "14", $1) }
        #expect(try await compare(dated) == ["other_time charge early", "other_time charge late"])
    }

    @Test("a report without --from and --to covers the days that its dates name")
    func daysWithoutAPeriod() async throws {
        try await pay("A", .captured, captured: 1_000)
        try await pay("B", .captured, captured: 1_000, at: 12 * 3_600)
        let report = [line("A", "PURCHASE", "10.00", "14", "2027-01-15")]
        #expect(try await compare(report, period: nil) == ["unknown_there charge B"])
    }

    @Test("an archived payment whose archive cannot be read is one difference, and the run goes on")
    func anArchivedPayment() async throws {
        for reference in ["A", "B"] {
            try await pay(reference, .captured, captured: 1_000, at: -90 * Self.day)
            try await change(reference, .partiallyRefunded, captured: 1_000, refunded: 300, at: -80 * Self.day)
        }
        try await pay("C", .captured, captured: 1_000)
        let journal = ArchivingJournal(journal, archived: ["A", "B"])
        let report = [line("A", "REFUND", "3.00"), line("C", "PURCHASE", "10.00")]
        #expect(
            try await compare(report, against: journal) == [
                "not_comparable refund A", "cannot be compared: archived in 2026-10, give --archive",
            ])
        struct NoSuchFile: Error, CustomStringConvertible { let description = "no such file" }
        #expect(
            try await compare(report, against: journal) { _ in throw NoSuchFile() } == [
                "not_comparable refund A", "cannot be compared: archived in 2026-10, no such file",
            ])
        let memory = self.journal
        let found = try await compare(report, against: journal) { payment in
            (payment, await memory.history(of: payment.merchantReference))
        }
        #expect(found == ["other_time refund A"])
    }

    /// The outcome that each status of a bill means, from the statuses' names in Portmone's plugins.
    private static let portmone: [String: ReportedOutcome] = [
        "PAYED": .taken, "PREAUTH": .succeeded(.authorization), "RETURN": .succeeded(.refund), "CREATED": .unpaid,
        "REJECTED": .unpaid,
    ]

    @Test("each of Portmone's statuses is or is not a movement of money")
    func portmonesStatuses() async throws {
        try await pay("paid", .captured, captured: 1_000)
        try await pay("part", .partiallyCaptured, captured: 400)
        try await pay("held", .authorized)
        try await pay("returned", .captured, captured: 1_000)
        try await change("returned", .partiallyRefunded, captured: 1_000, refunded: 300, at: 3_700, begun: 3_690)
        try await pay("released", .authorized)
        try await change("released", .voided, at: 3_700)
        try await pay("declined", .declined)
        try await pay("open", .uncertain)
        let header = "shopOrderNumber,billAmount,billCurrency,status,pay_date"
        func bill(_ reference: String, _ amount: String, _ status: String) -> String {
            "\(reference),\(amount),AED,\(status),15.01.2027 09:00:00"
        }
        func found(_ lines: [String]) async throws -> [String] {
            try await compare(lines, header: header, status: { Self.portmone[$0] }, dates: .dayMonthYear)
        }
        let right = [
            bill("paid", "10.00", "PAYED"), bill("paid", "10.00", "CREATED"), bill("part", "4.00", "PAYED"),
            bill("held", "10.00", "PREAUTH"), bill("returned", "10.00", "PAYED"), bill("returned", "-3.00", "RETURN"),
            bill("released", "10.00", "REJECTED"), bill("declined", "10.00", "REJECTED"),
            bill("open", "10.00", "CREATED"), bill("nobody", "10.00", "CREATED"), bill("never", "10.00", "REJECTED"),
        ]
        #expect(try await found(right).isEmpty)
        let wrong = [
            bill("declined", "10.00", "PAYED"), bill("held", "10.00", "CREATED"), bill("open", "10.00", "PREAUTH"),
            bill("paid", "10.00", "REJECTED"), bill("part", "4.01", "PAYED"), bill("released", "10.00", "PREAUTH"),
            bill("returned", "10.00", "PAYED"), bill("returned", "3.01", "RETURN"), bill("nobody", "10.00", "PAYED"),
            bill("unread", "10.00", "PAID"),
        ]
        #expect(
            try await found(wrong) == [
                "malformed 11...11", "state charge declined", "state charge held", "unknown_here charge nobody",
                "state charge open", "state charge paid", "operation_unknown_here capture part",
                "unknown_there void released", "operation_unknown_here refund returned",
            ])
    }

    @Test func anOperationThatOnlyFailedThereAndIsDoneHereIsADifference() async throws {
        try await pay("capture", .authorized, at: -90_000)
        try await change("capture", .captured, captured: 1_000, at: 3_700)
        try await pay("refund", .captured, captured: 1_000, at: -90_000)
        try await change("refund", .refunded, captured: 1_000, refunded: 1_000, at: 3_700)
        try await pay("void", .authorized, at: -90_000)
        try await change("void", .voided, at: 3_700)
        // Neither the report nor the journal shows a movement of money.
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

    /// The clocks of FORT and of the relay put a charge on different sides of the report's ends.
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

/// A journal in which the history of these references' payments has moved to the archive.
private struct ArchivingJournal: ForwardingJournal {
    let target: any Journal
    let archived: Set<String>

    init(_ target: any Journal, archived: Set<String>) {
        self.target = target
        self.archived = archived
    }

    func payments(_ merchantReferences: [String]) async throws(JournalError) -> [Result<Payment, UnreadableRecord>] {
        try await target.payments(merchantReferences).map { result in
            result.map { payment in
                var payment = payment
                if archived.contains(payment.merchantReference) { payment.archivedVersion = payment.version }
                return payment
            }
        }
    }

    func history(of merchantReference: String) async throws(JournalError) -> [HistoryEntry] {
        archived.contains(merchantReference) ? [] : try await target.history(of: merchantReference)
    }
}
