import Foundation
import OutboundHTTP
import PayrelayPrimitives
import TestPostgres
import TestPrograms
import Testing

/// `payrelay journal archive`, and the relay's own archiving, beside a running relay.
@Suite(.timeLimit(.minutes(25))) struct JournalArchiveCommandTests {
    /// The step at which the first run is killed.
    enum Death: String, CaseIterable {
        case archiving, archived, committing
    }

    enum Database: CaseIterable {
        case sqlite, postgres

        static var available: [Database] { PostgresServer.isAvailable ? allCases : [.sqlite] }
    }

    @Test(
        "R5: kill -9 at any step of the archive loses no payment, and the next run finishes it",
        arguments: Death.allCases, Database.available)
    func losesNothingToKill(death: Death, database: Database) async throws {
        let old = try await OldPayments(3, database)
        let archive = ["journal", "archive", "--before", old.before, "--into", old.archive]
        let killed = try RunningProgram(
            archive, environment: old.relay.environment.merging(["PAYRELAY_FAIL_POINT": "\(death.rawValue):1"]) { $1 })
        let status = try await killed.end()
        // PostgreSQL's step is somewhere within 20 milliseconds, and the whole run may end before it.
        #expect(status == -SIGKILL || death == .committing && database == .postgres && status == 0, "\(killed.text)")
        for order in old.orders {
            let shown = try await old.show(order.reference)
            #expect(shown.contains("captured") && shown.contains("customer data erased"), "\(shown)")
        }
        #expect(try await RunningProgram.run(archive, environment: old.relay.environment).status == 0)
        for order in old.orders { try await old.expectArchived(order) }
        #expect(try await old.sums() == old.sumsBefore)
        let journals = try FileManager.default.contentsOfDirectory(atPath: old.archive)
            .filter { $0.hasSuffix(".sqlite") }.map { [old.archive + "/" + $0] }
        #expect(journals.count == 1)
        for journal in [[]] + journals {
            let verified = try await RunningProgram.run(
                ["journal", "verify"] + journal, environment: old.relay.environment)
            #expect(verified.status == 0 && verified.text.contains("in order"), "\(verified.text)")
        }
        let info = try await RunningProgram.run(
            ["journal", "info"],
            environment: old.relay.environment.merging(["PAYRELAY_ARCHIVE_DIRECTORY": old.archive]) { $1 })
        #expect(info.text.contains("archived  3 payments, in \(old.archive)"), "\(info.text)")
    }

    @Test("R1, R2, R13: an archived payment is refused and answered as ever, and nothing more is charged or refunded")
    func keepsItsPromises() async throws {
        let old = try await OldPayments(2, .sqlite)
        let relay = old.relay
        let (first, second) = (old.orders[0], old.orders[1])
        #expect(
            try await RunningProgram.run(
                ["journal", "archive", "--before", old.before, "--into", old.archive], environment: relay.environment
            ).status == 0)

        let replay = try await relay.pay(first.body)
        #expect(replay.status == 200 && replay.outcome == "captured")
        #expect(try JSON(parsing: replay.body)["reason"]?.stringValue?.hasPrefix("archived in ") == true)
        let other = try await relay.pay(try Orders.body(first.reference, amount: 20_000).json)
        #expect(other.status == 422 && String(decoding: other.body, as: UTF8.self).contains("reference-taken"))
        let token = try await relay.pay(
            try #require(second.body.objectValue).with(["merchant_reference": .string(Orders.reference())]))
        #expect(token.status == 409 && String(decoding: token.body, as: UTF8.self).contains("token-used"))
        let refund = try await relay.post("/v1/payments/\(first.reference)/refund", Array("{}".utf8))
        #expect(refund.status == 409 && String(decoding: refund.body, as: UTF8.self).contains("archived in "))
        let shown = try JSON(parsing: try await relay.get("/v1/payments/\(first.reference)").body)
        #expect(shown["outcome"] == "captured" && shown["captured_amount"] == JSON(10_000))
        #expect(shown["archived"] != nil && shown["history"] == .array([]))
        #expect(try await relay.sandbox.charges(of: first.reference) == 1)
        #expect(try await relay.sandbox.books(of: .fort).count == 2)

        let without = try await RunningProgram.run(
            ["payments", "show", first.reference], environment: relay.environment)
        #expect(without.status == 0 && without.text.contains("not all is shown: name the archive's directory"))
    }

    @Test(
        "A configured relay archives old payments by itself, and a kill at any step loses nothing",
        arguments: [Death.archiving, .archived])
    func archivesDaily(death: Death) async throws {
        let old = try await OldPayments(2, .sqlite)
        old.relay.program.signal(SIGKILL)
        try await old.relay.program.end()
        let settings = ["PAYRELAY_ARCHIVE_DIRECTORY": old.archive, "PAYRELAY_ARCHIVE_AFTER_DAYS": "540"]
        // The relay may be killed before it listens.
        let doomed = try RunningProgram(
            ["serve"],
            environment: old.relay.environment.merging(settings) { $1 }
                .merging([
                    "PAYRELAY_FAIL_POINT": "\(death.rawValue):1", "PAYRELAY_HTTP_PORT": "0", "PAYRELAY_ADMIN_PORT": "0",
                ]) { $1 })
        #expect(try await doomed.end() == -SIGKILL)
        let relay = try await RunningRelay(after: old.relay, settings)
        try await relay.program.wait(for: "the archive") {
            relay.program.text.contains("\"message\":\"payments archived\"")
        }
        for order in old.orders { try await old.expectArchived(order, at: relay) }
        let new = Orders.reference()
        #expect(try await relay.pay(try Orders.body(new).json).outcome == "captured")
        #expect(try await relay.get("/v1/payments/\(new)").status == 200)
    }

    @Test("A report of the days of a payment agrees with it also when its history is in the archive")
    func agreesWithReports() async throws {
        let old = try await OldPayments(1, .sqlite, isRefunded: true)
        let reference = old.orders[0].reference
        // The refund was made ten days later and is in another report. The gateway's clock is minutes ahead of the journal's,
        // so the comparison needs the history.
        let report = old.archive + ".csv"
        try Data(
            """
            merchant_reference,command,amount,currency,status,date
            \(reference),PURCHASE,100.00,AED,14000,\((Date() - 700 * 86_400 + 300).rfc3339)
            """.utf8
        ).write(to: URL(filePath: report))
        func reconcile(_ options: [String] = []) async throws -> (status: Int32, text: String) {
            try await RunningProgram.run(
                ["reconcile", "report", report, "--margin", "1h"] + options, environment: old.relay.environment)
        }
        let whole = try await reconcile()
        #expect(whole.status == 0, "\(whole.text)")
        let run = ["journal", "archive", "--before", old.before, "--into", old.archive]
        #expect(try await RunningProgram.run(run, environment: old.relay.environment).status == 0)
        let archived = try await reconcile(["--archive", old.archive])
        #expect(archived == whole, "\(archived.text)")
        let without = try await reconcile()
        #expect(without.status == 1 && without.text.contains("cannot be compared: archived in 20"), "\(without.text)")
        #expect(without.text.contains(", give --archive") && without.text.contains("1 difference: 1 not_comparable"))
        let elsewhere = try await reconcile(["--archive", old.archive + "-none"])
        #expect(elsewhere.status == 1 && elsewhere.text.contains("1 difference: 1 not_comparable"), "\(elsewhere.text)")
        let shown = try await old.show(reference)
        #expect(shown.contains("Refund of 25.00 AED: done"), "\(shown)")
    }

    @Test(
        "A date that cards may still be disputed after is refused, and so is an age without a directory",
        arguments: [
            (["--before", "2999-01-01", "--into", "x"], [:], 64), (["--into", "x"], [:], 64),
            (["--before", "2020-01-01"], [:], 64),
            (["--before", "2020-01-01"], ["PAYRELAY_ARCHIVE_AFTER_DAYS": "540"], 78),
            (
                ["--before", "2020-01-01"],
                ["PAYRELAY_ARCHIVE_AFTER_DAYS": "119", "PAYRELAY_ARCHIVE_DIRECTORY": "x"], 78
            ),
        ] as [([String], [String: String], Int32)])
    func refusesWhatMayStillBeNeeded(options: [String], settings: [String: String], status: Int32) async throws {
        let folder = try TemporaryFolder()
        let result = try await RunningProgram.run(
            ["journal", "archive"] + options,
            environment: [
                "PAYRELAY_FORT_ACCESS_CODE": "a", "PAYRELAY_FORT_MERCHANT_IDENTIFIER": "m",
                "PAYRELAY_FORT_REQUEST_PHRASE": "p", "PAYRELAY_FORT_RESPONSE_PHRASE": "p",
                "PAYRELAY_JOURNAL": "sqlite:" + folder.path("journal.sqlite"),
            ].merging(settings) { $1 })
        #expect(result.status == status, "\(result.text)")
    }
}

/// Payments that were made 700 days ago, whose customers' data was erased then, and a relay with these payments.
private struct OldPayments {
    struct Order {
        let reference: String
        let body: JSON
    }

    let relay: RunningRelay
    let orders: [Order]
    let archive: String
    let sumsBefore: String
    /// A date after the payments.
    let before: String
    private let folder: TemporaryFolder
    /// The days of the payments: one day, or two if midnight was in between.
    private let days: [String]

    /// - Parameter isRefunded: Whether a quarter of each payment was refunded ten days later.
    init(
        _ count: Int, _ database: JournalArchiveCommandTests.Database, isRefunded: Bool = false
    ) async throws {
        folder = try TemporaryFolder()
        archive = folder.path("archive")
        before = (Date() - 600 * 86_400).rfc3339
        let first = try await RunningRelay()
        var orders: [Order] = []
        for _ in 0..<count {
            let reference = Orders.reference()
            let body = try Orders.body(reference).json
            #expect(try await first.pay(body).outcome == "captured")
            if isRefunded {
                let refund = try await first.post("/v1/payments/\(reference)/refund", Array(#"{"amount": 2500}"#.utf8))
                #expect(refund.status == 200)
            }
            #expect(
                try await RunningProgram.run(["forget", reference], environment: first.environment).status == 0)
            orders.append(Order(reference: reference, body: body))
        }
        self.orders = orders
        first.program.signal(SIGTERM)
        try await first.program.end()
        let age = 700 * 86_400_000
        try await first.runSQL(
            """
            UPDATE payment SET claimed_at = claimed_at - \(age); UPDATE history SET at = at - \(age);
            UPDATE movement SET at = at - \(age);
            UPDATE history SET at = at + 864000000 WHERE number > 2; UPDATE movement SET at = at + 864000000 WHERE entry > 2
            """)
        var settings: [String: String] = [:]
        if database == .postgres {
            let url = try PostgresServer.shared.get().emptyDatabase()
            settings["PAYRELAY_JOURNAL"] = url
            let copied = try await RunningProgram.run(["journal", "copy", first.journalPath, url])
            #expect(copied.status == 0, "\(copied.text)")
        }
        relay = try await RunningRelay(after: first, settings)
        days = (700...701).map { CalendarDay(Date() - Double($0) * 86_400).text }
        sumsBefore = try await Self.sums(of: relay, on: days)
    }

    func sums() async throws -> String { try await Self.sums(of: relay, on: days) }

    private static func sums(of relay: RunningRelay, on days: [String]) async throws -> String {
        var sums = ""
        for day in days {
            let answer = try await relay.get("/v1/settlement?day=\(day)")
            #expect(answer.status == 200)
            sums += try JSON(parsing: answer.body)["totals"].map { String(decoding: $0.encoded(), as: UTF8.self) } ?? ""
        }
        return sums
    }

    func show(_ reference: String) async throws -> String {
        let result = try await RunningProgram.run(
            ["payments", "show", reference, "--archive", archive], environment: relay.environment)
        #expect(result.status == 0)
        return result.text
    }

    /// Checks that the payment's whole history is in the archive, and that the journal has only its outcome.
    func expectArchived(_ order: Order, at successor: RunningRelay? = nil) async throws {
        let shown = try await show(order.reference)
        #expect(shown.contains("archived") && shown.contains("customer data erased"), "\(shown)")
        #expect(!shown.contains("not all is shown"), "\(shown)")
        let json = try JSON(parsing: try await (successor ?? relay).get("/v1/payments/\(order.reference)").body)
        #expect(json["outcome"] == "captured" && json["archived"] != nil && json["history"] == .array([]))
    }
}
