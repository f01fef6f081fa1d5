import Foundation
import JournalContract
import PaymentRelay
import PayrelayPrimitives
import SQLJournal
import SQLiteDriver
import TestPrograms
import Testing

/// A command's error names the reason of the failure.
@Suite struct CommandErrorTests {
    private let folder: TemporaryFolder
    private let settings: [String: String]

    init() throws {
        folder = try TemporaryFolder()
        settings = [
            "PAYRELAY_FORT_ACCESS_CODE": "a", "PAYRELAY_FORT_MERCHANT_IDENTIFIER": "m",
            "PAYRELAY_FORT_REQUEST_PHRASE": "p", "PAYRELAY_FORT_RESPONSE_PHRASE": "p",
            "PAYRELAY_JOURNAL": "sqlite:\(folder.path("journal.sqlite"))",
            "PAYRELAY_EVENTS_URL": "http://127.0.0.1:1/events",
            "PAYRELAY_EVENTS_SECRET": "whsec_" + Data(repeating: 1, count: 32).base64EncodedString(),
        ]
    }

    private func write(_ reference: String, _ state: PaymentState, refunding: Bool = false) async throws {
        let journal = try SQLJournal(path: folder.path("journal.sqlite"))
        let moment = Date() - 3_600
        let payment = Payment(
            merchantReference: reference, command: .purchase, amount: 1_000, currency: "AED", fingerprint: nil,
            appleTransactionIdentifier: nil, claimedAt: moment, gateway: "fort", state: state,
            balance: Balance(captured: state == .captured ? 1_000 : 0))
        #expect(try await journal.record(payment, because: HistoryEntry(at: moment, state: state)))
        guard refunding else { return }
        let known = try #require(try await journal.payment(reference))
        var begun = known
        begun.operations = [
            PaymentOperation(
                command: .refund, amount: 500, maintenanceReference: nil, idempotencyKey: "k", before: known.balance,
                begunAt: moment)
        ]
        #expect(try await journal.compareAndSet(known, to: begun, because: HistoryEntry(at: moment, state: state)))
    }

    @Test("forget says whether the payment is unknown, or why its data is kept")
    func forget() async throws {
        try await write("OPEN", .uncertain)
        try waitUntilClosed(journal: folder.path("journal.sqlite"))
        try await write("REFUNDING", .captured, refunding: true)
        try waitUntilClosed(journal: folder.path("journal.sqlite"))
        for (reference, reason) in [
            ("NOPE", #"there is no payment "NOPE""#), ("OPEN", "its outcome is not known yet"),
            ("REFUNDING", "the outcome of a capture, void or refund of it is not known yet"),
        ] {
            let (status, text) = try await RunningProgram.run(["forget", reference], environment: settings)
            #expect(status == 1 && text.contains("nothing was erased: \(reason)"), "\(text)")
        }
    }

    @Test("events resend names unknown payments apart from those without an event")
    func resend() async throws {
        try await write("SILENT", .captured)
        try waitUntilClosed(journal: folder.path("journal.sqlite"))
        let (status, text) = try await RunningProgram.run(
            ["events", "resend", "SILENT", "NOPE", "NO-OTHER"], environment: settings)
        #expect(status == 1)
        #expect(text.contains(#"no such payment: "NOPE", "NO-OTHER""#), "\(text)")
        #expect(text.contains(#"no event of: "SILENT""#), "\(text)")
    }

    @Test(
        "an unknown outcome is named with the outcomes that there are, whatever else is wrong",
        arguments: ["list", "export"])
    func outcomes(command: String) async throws {
        let (status, text) = try await RunningProgram.run(
            ["payments", command, "--outcome", "paid"], environment: [:])
        #expect(status == 64)
        let names = PaymentState.allCases.map(\.rawValue).joined(separator: ", ")
        #expect(text.contains("--outcome must be one of \(names)"), "\(text)")
        #expect(!text.contains("PAYRELAY_FORT"))
    }

    @Test(
        "options that need or exclude each other are named one by one",
        arguments: [
            (["forget"], "name a payment, or give --email"),
            (["forget", "A", "--email", "a@example.com"], "a payment and --email exclude each other"),
            (["sandbox", "--session-port", "1"], "--session-port needs --session-certificates"),
            (["sandbox", "--session-certificates", "/x"], "--session-certificates needs --session-port"),
            (["loadtest", "--gateway-latency", "1s", "--soak"], "--gateway-latency and --soak exclude each other"),
            (["loadtest", "--gateway", "fort", "--gateway", "fort"], "--gateway names a gateway twice"),
            (["loadtest", "--gateway", "nobody"], "--gateway must be one of "),
            (["loadtest", "--soak", "--saturate"], "--soak and --saturate exclude each other"),
        ] as [([String], String)])
    func usage(arguments: [String], reason: String) async throws {
        let (status, text) = try await RunningProgram.run(arguments, environment: [:])
        #expect(status == 64 && text.contains(reason), "\(text)")
    }

    @Test("a missing report and a directory have different errors")
    func reports() async throws {
        try await write("A", .captured)
        try waitUntilClosed(journal: folder.path("journal.sqlite"))
        let missing = try await RunningProgram.run(
            ["reconcile", "report", folder.path("no.csv")], environment: settings)
        let directory = try await RunningProgram.run(["reconcile", "report", folder.url.path], environment: settings)
        #expect(missing.status == 65 && directory.status != 0)
        #expect(missing.text.contains("no.csv cannot be read: "), "\(missing.text)")
        #expect(missing.text != directory.text)
    }
}
