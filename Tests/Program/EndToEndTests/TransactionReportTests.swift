import Crypto
import FortAPI
import Foundation
import JournalContract
import OutboundHTTP
import PaymentRelay
import PayrelayPrimitives
import SQLJournal
import SQLiteDriver
import Synchronization
import TestPrograms
import Testing

/// `payrelay reconcile report`, and the books of `GET /v1/settlement`.
@Suite struct TransactionReportTests {
    private static let start = Date(timeIntervalSince1970: 1_795_305_600)  // 2026-11-22T00:00:00Z

    /// A payment of the journal, and its lines in a report.
    private struct Sample {
        var reference: String
        var state = PaymentState.captured
        var captured: MinorUnits = 10_000
        var refunded: MinorUnits = 0
        /// The fields of the report's lines: command, amount, currency, status.
        var lines: [(String, String, String, String)]

        static func agreeing(_ number: Int) -> Sample {
            let reference = "ORDER-\(number)"
            switch number % 4 {
            case 0:
                return Sample(
                    reference: reference, state: .authorized, captured: 0,
                    lines: [("AUTHORIZATION", "100.00", "AED", "02000")])
            case 1:
                return Sample(
                    reference: reference, state: .declined, captured: 0, lines: [("PURCHASE", "100.00", "AED", "13666")]
                )
            case 2:
                return Sample(
                    reference: reference, state: .partiallyRefunded, refunded: 2_550,
                    lines: [("PURCHASE", "100.00", "AED", "14000"), ("REFUND", "25.50", "AED", "06000")])
            default:
                return Sample(reference: reference, lines: [("PURCHASE", "100.00", "AED", "14000")])
            }
        }
    }

    @Test(.timeLimit(.minutes(25))) func tenThousandLinesWithTwentyDifferences() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("journal.sqlite")
        var samples = (0..<7_990).map(Sample.agreeing)
        var planted: Set<String> = []
        /// Changes a payment in a given state, so that the report differs from the journal.
        func plant(_ kind: String, _ number: Int, _ change: (inout Sample) -> Void) {
            change(&samples[number])
            planted.insert("\(kind) ORDER-\(number)")
        }
        plant("amount", 3) { $0.lines[0].1 = "100.01" }
        plant("amount", 7) { $0.lines[0].1 = "10000.00" }
        plant("amount", 8) { $0.lines[0].1 = "99.99" }
        plant("currency", 11) { $0.lines[0].2 = "SAR" }
        plant("currency", 4_002) { sample in for place in sample.lines.indices { sample.lines[place].2 = "USD" } }
        plant("state", 15) { $0.lines[0].3 = "13666" }
        plant("state", 21) { $0.lines[0].3 = "14000" }
        plant("state", 19) { ($0.state, $0.captured) = (.uncertain, 0) }
        plant("state", 24) { ($0.state, $0.captured) = (.notProcessed, 0) }
        plant("operation_unknown_here", 28) { $0.lines.append(("CAPTURE", "100.00", "AED", "04000")) }
        plant("operation_unknown_here", 32) { $0.lines.append(("CAPTURE", "0.01", "AED", "04000")) }
        plant("operation_unknown_here", 36) { $0.lines.append(("VOID_AUTHORIZATION", "100.00", "AED", "08000")) }
        plant("operation_unknown_here", 5_003) { $0.lines.append(("REFUND", "100.00", "AED", "06000")) }
        plant("operation_unknown_here", 5_006) { $0.lines.append(("REFUND", "0.01", "AED", "06000")) }
        plant("unknown_there", 5_007) { $0.lines = [] }
        plant("unknown_there", 5_010) { $0.lines = [] }
        plant("unknown_there", 5_011) { $0.lines = [] }
        for reference in ["DASHBOARD-1", "DASHBOARD-2", "-DASHBOARD-3"] { planted.insert("unknown_here \(reference)") }
        #expect(planted.count == 20)

        try await write(samples, to: SQLJournal(path: path))
        var lines = samples.flatMap { sample in
            sample.lines.map { line in
                "2026-11-22 12:00:00,\(sample.reference),\(line.0),\(line.1),\(line.2),\(line.3),\"Sara, \"\"S\"\"\""
            }
        }
        lines += ["DASHBOARD-1,PURCHASE", "DASHBOARD-2,AUTHORIZATION", "-DASHBOARD-3,REFUND"].map {
            "2026-11-22 12:00:00,\($0),5.00,AED,Success,sara@example.com"
        }
        #expect(lines.count > 9_900)
        lines.shuffle()
        let header = "Date,Merchant Reference,Operation,Amount,Currency,Response Code,Customer"
        let report = try folder.file(
            "report.csv", "\u{FEFF}" + ([header] + lines).joined(separator: "\r\n") + "\r\n")

        let (status, text) = try await run(
            ["reconcile", "report", report, "--json", "--from", "2026-11-22", "--to", "2026-11-23"], journal: path)
        #expect(status == 1)
        var found: [String] = []
        let findings = try text.split(separator: "\n").map { try JSON(parsing: Array($0.utf8)) }
        for finding in findings where finding["summary"] == nil {
            found.append(
                "\(finding["difference"]?.stringValue ?? "") \(finding["merchant_reference"]?.stringValue ?? "")")
        }
        #expect(Set(found) == planted)
        #expect(found.count == 20)
        #expect(findings.last?["summary"]?["lines"] == .number("\(lines.count)"))
        #expect(findings.last?["summary"]?["malformed_lines"] == 0)
        #expect(!text.contains("sara") && !text.contains("Sara"), "S1: no customer's data")

        let csv = try await run(
            ["reconcile", "report", "-", "--csv", "--from", "2026-11-22", "--to", "2026-11-23"], journal: path,
            input: ([header] + lines).joined(separator: "\n"))
        #expect(csv.status == 1)
        #expect(csv.text.split(separator: "\n").count == 21 && csv.text.contains("unknown_here,'-DASHBOARD-3,"))
    }

    /// Writes the journal with the product's own code.
    private func write(_ samples: [Sample], to journal: any Journal) async throws {
        try await withThrowingTaskGroup { group in
            for part in 0..<32 {
                group.addTask {
                    for place in stride(from: part, to: samples.count, by: 32) {
                        try await self.write(samples[place], number: place, to: journal)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    private func write(_ sample: Sample, number: Int, to journal: any Journal) async throws {
        let moment = Self.start + 43_200
        let payment = Payment(
            merchantReference: sample.reference, command: sample.state == .authorized ? .authorization : .purchase,
            amount: 10_000, currency: "AED", fingerprint: RequestFingerprint(bytes: [1]),
            appleTransactionIdentifier: "ab\(number)", claimedAt: moment, gateway: "fort")
        let claim = Change(
            claiming: payment, token: SHA256.hash(data: Array("token \(number)".utf8)), idempotencyKey: nil,
            because: HistoryEntry(at: moment, state: .processing))
        #expect(try await journal.claim(claim) == .written)
        let first: PaymentState = sample.refunded > .zero ? .captured : sample.state
        let charged = HistoryEntry(at: moment, state: first, balance: Balance(captured: sample.captured))
        #expect(try await journal.transition(payment, receipt: nil, because: charged))
        guard sample.refunded > .zero else { return }
        let known = try #require(try await journal.payment(sample.reference))
        var changed = known
        changed.state = sample.state
        changed.balance = Balance(captured: sample.captured, refunded: sample.refunded)
        let refunded = HistoryEntry(at: moment, state: sample.state, balance: changed.balance)
        #expect(try await journal.compareAndSet(known, to: changed, because: refunded))
    }

    private func run(
        _ arguments: [String], journal: String, input: String? = nil
    ) async throws -> (status: Int32, text: String) {
        let settings = [
            "PAYRELAY_FORT_ACCESS_CODE": "a", "PAYRELAY_FORT_MERCHANT_IDENTIFIER": "m",
            "PAYRELAY_FORT_REQUEST_PHRASE": "p", "PAYRELAY_FORT_RESPONSE_PHRASE": "p",
            "PAYRELAY_JOURNAL": "sqlite:\(journal)",
        ]
        let folder = try TemporaryFolder()
        let arguments =
            try input.map { input in
                try arguments.map { $0 == "-" ? try folder.file("input.csv", input) : $0 }
            } ?? arguments
        let program = try RunningProgram(arguments, environment: settings)
        let status = try await program.end()
        return (status, program.text)
    }

    @Test("A day of --from and --to begins at midnight of --zone") func daysAreOfTheReportsZone() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("journal.sqlite")
        // The payments are made at 12:00 UTC, which is 01:00 on the next day at +13:00.
        try await write(.agreeing(3), number: 3, to: SQLJournal(path: path))
        let header = "Date,Merchant Reference,Operation,Amount,Currency,Response Code"
        let report = header + "\n2026-11-23 12:00:00,DASHBOARD-1,PURCHASE,5.00,AED,14000\n"
        for (from, to, isMissing) in [("2026-11-22", "2026-11-23", false), ("2026-11-23", "2026-11-24", true)] {
            let (_, text) = try await run(
                ["reconcile", "report", "-", "--csv", "--zone", "+13:00", "--from", from, "--to", to], journal: path,
                input: report)
            #expect(text.contains("unknown_there,ORDER-3") == isMissing, "\(text)")
        }
    }

    @Test func adoptsWhatFORTConfirmsAndNothingElse() async throws {
        let relay = try await RunningRelay()
        var references: [String] = []
        for _ in 0..<2 {
            let body = try Orders.body().with(["command": "AUTHORIZATION"])
            #expect(try await relay.pay(body).outcome == "authorized")
            references.append(body["merchant_reference"]?.stringValue ?? "")
        }
        try await captureInDashboard(references[0], at: relay.sandbox)
        let day = String(Date().rfc3339.prefix(10))
        // The report says that both payments were captured, which is wrong for the second.
        let lines = references.flatMap {
            ["\($0),AUTHORIZATION,100.00,AED,02,\(day)", "\($0),CAPTURE,100.00,AED,04,\(day)"]
        }
        let folder = try TemporaryFolder()
        let report = try folder.file(
            "report.csv", (["merchant_reference,command,amount,currency,status,date"] + lines).joined(separator: "\n"))
        let command = ["reconcile", "report", report, "--adopt", "--from", "2026-01-01", "--to", "2999-01-01"]
        let first = try await RunningProgram.run(command, environment: relay.environment)
        #expect(first.status == 1)
        #expect(first.text.contains("captured, captured 10000, refunded 0"))
        #expect(first.text.contains("2 differences: 2 operation_unknown_here"))
        #expect(try await relay.get("/v1/payments/\(references[0])").outcome == "captured")
        #expect(try await relay.get("/v1/payments/\(references[1])").outcome == "authorized")

        let again = try await RunningProgram.run(command, environment: relay.environment)
        #expect(again.text.contains("1 difference: 1 operation_unknown_here"))
        // The adopted change is in the books of the current day.
        let books = try await relay.get("/v1/settlement?day=\(String(Date().rfc3339.prefix(10)))")
        #expect(books.status == 200 && books.json?["unreadable_records"] == 0)
        let totals = try #require(books.json?["totals"]?.arrayValue)
        #expect(totals.count == 1 && totals[0]["currency"] == "AED")
        #expect(totals[0]["charged"] == ["count": 1, "amount": 10_000])
        #expect(totals[0]["refunded"] == ["count": 0, "amount": 0])
        #expect(try await relay.get("/v1/settlement?day=today").status == 400)
    }

    @Test("A second charge that --adopt finds is named on standard error: the relay will not alert to it again")
    func adoptingNamesASecondCharge() async throws {
        let number = Mutex("1")
        let fort = try AnsweringFort.withASecondCharge { number.withLock { $0 } }
        let relay = try await RunningRelay(fort.settings)
        let reference = Orders.reference()
        #expect(try await relay.pay(Orders.body(reference).json).outcome == "captured")
        number.withLock { $0 = "2" }
        let folder = try TemporaryFolder()
        let report = try folder.file(
            "report.csv",
            "merchant_reference,command,amount,currency,status,date\n\(reference),PURCHASE,200.00,AED,14,2026-11-23\n")
        let adopted = try await RunningProgram.run(
            ["reconcile", "report", report, "--adopt", "--from", "2026-01-01", "--to", "2999-01-01"],
            environment: relay.environment)
        #expect(
            adopted.text.split(separator: "\n").contains { $0.contains("second_charge") && $0.contains(reference) },
            "\(adopted.text)")
    }

    @Test("If the gateway does not answer, --adopt and payments sync say so") func saysThatNobodyAnswered() async throws
    {
        let relay = try await RunningRelay()
        let reference = Orders.reference()
        #expect(try await relay.pay(Orders.body(reference).json).outcome == "captured")
        let folder = try TemporaryFolder()
        let report = try folder.file(
            "report.csv",
            "merchant_reference,command,amount,currency,status,date\n\(reference),PURCHASE,200.00,AED,14,2026-11-23\n")
        let silent = relay.environment.merging([
            "PAYRELAY_FORT_ENDPOINT": "http://127.0.0.1:1/FortAPI/paymentApi"
        ]) { $1 }
        let adopted = try await RunningProgram.run(
            ["reconcile", "report", report, "--adopt", "--from", "2026-01-01", "--to", "2999-01-01"],
            environment: silent)
        #expect(adopted.text.contains("now: not answered: "), "\(adopted.text)")
        let sync = ["payments", "sync", reference]
        let unanswered = try await RunningProgram.run(sync, environment: silent)
        #expect(unanswered.status == 1 && unanswered.text.contains("not answered: "), "\(unanswered.text)")
        let answered = try await RunningProgram.run(sync, environment: relay.environment)
        #expect(answered.status == 0, "\(answered.text)")
    }

    /// Captures in FORT's dashboard, as the merchant may. The relay does not learn of it.
    private func captureInDashboard(_ reference: String, at sandbox: RunningSandbox) async throws {
        func setting(_ name: String) -> String { sandbox.settings["PAYRELAY_FORT_\(name)", default: ""] }
        var message: JSONObject = [
            "command": "CAPTURE", "access_code": .string(setting("ACCESS_CODE")),
            "merchant_identifier": .string(setting("MERCHANT_IDENTIFIER")), "merchant_reference": .string(reference),
            "amount": "10000", "currency": "AED", "language": "en",
        ]
        let signature = FortSignature(of: message, phrase: Secret(setting("REQUEST_PHRASE")), type: .standard)
        message["signature"] = .string(signature.hexadecimal)
        let client = OutboundClient()
        defer { client.shutdown() }
        let answer = try await client.send(
            OutboundRequest(
                url: setting("ENDPOINT"), headers: [(name: "Content-Type", value: "application/json")],
                body: JSON.object(message).encoded(), connectTimeout: .seconds(90), timeout: .seconds(300))
        ).get()
        #expect(try JSON(parsing: answer.body)["response_code"] == "04000")
    }

    @Test(arguments: [
        ["--json", "--csv"], ["--column", "amount"], ["--column", "nothing=x"], ["--amounts", "cents"],
        ["--zone", "Dubai"], ["--delimiter", "ab"], ["--account", "nobody"],
        ["--from", "2026-11-23", "--to", "2026-11-22"],
    ])
    func wrongUsageEndsWith64(options: [String]) async throws {
        let (status, text) = try await run(
            ["reconcile", "report", "/no/such/file"] + options, journal: "/no/such/journal")
        #expect(status == 64, "\(text)")
    }

    @Test(arguments: ["", "a,b\n1,2\n", "merchant_reference,amount,currency,command,status\n", "\u{FF}\u{FE}"])
    func aReportThatCannotBeComparedEndsWith65(text: String) async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("journal.sqlite")
        _ = try SQLJournal(path: path)
        let (status, output) = try await run(["reconcile", "report", "-"], journal: path, input: text)
        #expect(status == 65, "\(output)")
    }
}
