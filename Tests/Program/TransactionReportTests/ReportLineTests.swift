import FortAPI
import FortModule
import Foundation
import GatewayModule
import PayrelayPrimitives
import Testing

@testable import payrelay

@Suite struct ReportLineTests {
    private static let header = ["Date & Time", "Merchant Reference", "Operation", "Amount", "Currency", "Status"]

    private func read(_ fields: [String], form: ReportForm = ReportForm()) throws -> ReportLine {
        let reader = ReportLineReader(
            columns: try ReportColumns(header: Self.header), form: form, code: FortModule.reportedOutcome)
        return try reader.line(fieldCount: fields.count) { fields[$0] }
    }

    @Test(arguments: [
        ("PURCHASE", "14", ReportLine.Kind.purchased), ("Purchase", "14000", .purchased),
        ("sale", "Success", .purchased),
        ("AUTHORIZATION", "02", .authorized), ("Authorization", "approved", .authorized),
        ("CAPTURE", "04000", .captured),
        ("VOID_AUTHORIZATION", "08", .voided), ("Void Authorization", "Success", .voided), ("REFUND", "06", .refunded),
        ("PURCHASE", "13666", .failedCharge), ("AUTHORIZATION", "Declined", .failedCharge),
        ("PURCHASE", "00008", .failedCharge), ("REFUND", "07", .failedOperation),
        ("PURCHASE", "13", .failedCharge), ("PURCHASE", "13102", .failedCharge), ("REFUND", "07048", .failedOperation),
        ("CAPTURE", "failed", .failedOperation),
    ])
    func aLineHasItsOperation(command: String, status: String, kind: ReportLine.Kind) throws {
        let line = try read(["2026-11-23", "A", command, "1.00", "AED", status])
        #expect(line.kind == kind)
    }

    @Test(
        "Without a command, a failure belongs to the charge only if its status says so",
        arguments: [
            ("03", ReportLine.Kind.failedCharge), ("13666", .failedCharge), ("23", .failedCharge),
            ("05", .failedOperation), ("07048", .failedOperation), ("09", .failedOperation),
            ("00008", .failedOperation), ("failed", .failedOperation), ("Declined", .failedOperation),
            ("14000", .purchased), ("06", .refunded),
        ])
    func withoutACommand(status: String, kind: ReportLine.Kind) throws {
        let header = Self.header.filter { $0 != "Operation" }
        let reader = ReportLineReader(
            columns: try ReportColumns(header: header, optional: [.date, .command]), form: ReportForm(),
            code: FortModule.reportedOutcome)
        let fields = ["2026-11-23", "A", "1.00", "AED", status]
        let line = try reader.line(fieldCount: fields.count) { fields[$0] }
        #expect(line.kind == kind)
    }

    @Test(arguments: [
        ("A", "PURCHASE", "1.00", "AED", "07"), ("A", "REFUND", "1.00", "AED", "13"),
        ("A", "PURCHASE", "1.00", "AED", "01"), ("A", "PURCHASE", "1.00", "AED", "10"),
        ("A", "PURCHASE", "1.00", "AED", "13777"), ("A", "PURCHASE", "1.00", "AED", "13007"),
        ("A", "PURCHASE", "1.00", "AED", "01666"), ("A", "PURCHASE", "1.00", "AED", "11"),
        ("A", "PURCHASE", "1.00", "AED", "20"), ("A", "PURCHASE", "1.00", "AED", "19"),
        ("A", "PURCHASE", "1.00", "AED", "14001"), ("A", "PURCHASE", "1.00", "AED", "02"),
        ("A", "PURCHASE", "1.00", "AED", ""), ("A", "PURCHASE", "1.00", "AED", "maybe"),
        ("A", "CHECK_STATUS", "1.00", "AED", "14"), ("", "PURCHASE", "1.00", "AED", "14"),
        ("sara@example.com", "PURCHASE", "1.00", "AED", "14"), ("=A", "PURCHASE", "1.00", "AED", "14"),
        (String(repeating: "A", count: 41), "PURCHASE", "1.00", "AED", "14"), ("A", "PURCHASE", "1.00", "XXX", "14"),
        ("A", "PURCHASE", "1.00", "aed", "14"), ("A", "PURCHASE", "-1.00", "AED", "14"),
        ("A", "PURCHASE", "1e3", "AED", "14"), ("A", "PURCHASE", "1,00", "AED", "14"),
        ("A", "PURCHASE", "1.001", "AED", "14"), ("A", "PURCHASE", "1.", "AED", "14"),
        ("A", "PURCHASE", ".5", "AED", "14"),
        ("A", "PURCHASE", "", "AED", "14"), ("A", "PURCHASE", "100000000.00", "AED", "14"),
        ("A", "PURCHASE", "9223372036854775808", "AED", "14"), ("A", "PURCHASE", "1.5", "JPY", "14"),
    ])
    func refusesAnUncertainLine(reference: String, command: String, amount: String, currency: String, status: String) {
        let error = #expect(throws: MalformedLine.self) {
            try read(["2026-11-23", reference, command, amount, currency, status])
        }
        // S1: a column that was mistaken for another may contain a customer's data.
        #expect(error?.reason.contains("sara") == false)
    }

    /// The report uses the same table of FORT's statuses.
    @Test(
        "A line's code counts as failed only if its class proves that no money moved, and as succeeded only if its class is success"
    )
    func readsACodeAsItsClass() throws {
        for number in 0...99_999 {
            let digits = String(number)
            let text = String(repeating: "0", count: 5 - digits.count) + digits
            let code = try #require(FortCode(text))
            switch FortModule.reportedOutcome(text) {
            case .succeeded, .taken: #expect(code.class == .success, "\(text)")
            case .failed, .unpaid: #expect(code.class.provesNoMoneyMoved, "\(text)")
            case nil:
                let isQuerys = ["11", "12", "21", "22"].contains(code.status)
                #expect(isQuerys || code.class != .success && !code.class.provesNoMoneyMoved, "\(text)")
            }
        }
    }

    @Test(arguments: [
        ("100.00", "AED", 10_000), ("100", "AED", 10_000), ("100.5", "AED", 10_050), ("0.01", "AED", 1),
        ("1.234", "KWD", 1_234), ("100.00", "JPY", 100), ("100.000", "AED", 10_000),
        ("99999999.99", "AED", 9_999_999_999),
        ("0", "AED", 0), ("007", "AED", 700),
    ])
    func readsMajorUnits(text: String, code: String, minor: Int) throws {
        let currency = try #require(Currency(code: code))
        #expect(ReportForm().amount(text, of: currency)?.value == minor)
    }

    @Test func readsMinorUnitsAndThousands() throws {
        #expect(ReportForm(amounts: .minor).amount("10000", of: .AED) == 10_000)
        #expect(ReportForm(amounts: .minor).amount("100.00", of: .AED) == nil)
        let form = ReportForm(thousands: ",")
        #expect(form.amount("1,234,567.89", of: .AED) == 123_456_789)
        for text in ["1,23", "1,2345", ",123", "1234,567", "1,,234"] { #expect(form.amount(text, of: .AED) == nil) }
    }

    @Test(arguments: [
        ("2026-11-23", "ymd", "Z", "2026-11-23T00:00:00Z"), ("2026-11-23 10:20:30", "ymd", "Z", "2026-11-23T10:20:30Z"),
        ("2026-11-23T10:20:30.500Z", "ymd", "+04:00", "2026-11-23T10:20:30Z"),
        ("2026-11-23 10:20", "ymd", "+04:00", "2026-11-23T06:20:00Z"),
        ("2026-11-23T10:20:30+03:00", "ymd", "Z", "2026-11-23T07:20:30Z"),
        ("23/11/2026 10:20", "dmy", "Z", "2026-11-23T10:20:00Z"), ("11/23/2026", "mdy", "Z", "2026-11-23T00:00:00Z"),
        ("23.11.2026", "dmy", "Z", "2026-11-23T00:00:00Z"),
    ])
    func readsTimes(text: String, order: String, zone: String, expected: String) throws {
        let dates = try #require(ReportForm.DateOrder(rawValue: order))
        let form = ReportForm(dates: dates, zone: try #require(UTCOffset(parsing: zone)))
        #expect(form.span(text)?.lowerBound.rfc3339 == expected)
    }

    @Test(arguments: [
        "", "today", "2026-02-30", "23/11/2026", "2026-11-23 25:00", "2026-11-23 10:60", "2026-11-23 10", "20261123",
        "2026-11-23 10:20:30 PM", "2026-11-23T10:20:30+4", "99999-01-01",
    ])
    func refusesOtherTimes(text: String) {
        #expect(ReportForm().span(text) == nil)
    }

    @Test func findsColumnsByTheirNames() throws {
        let fort = ["merchant_reference", "fort_id", "amount", "currency", "operation", "response_code", "from_date"]
        #expect(try ReportColumns(header: fort).places[.command] == 4)
        let named = try ReportColumns(
            header: ["Ref", "Amount", "Currency", "Status", "Betrag"],
            named: [.merchantReference: "Ref", .amount: "Betrag"], optional: [.date, .command])
        #expect(named.places == [.merchantReference: 0, .amount: 4, .currency: 2, .status: 3])
        #expect(throws: ReportColumnsError.noSuchColumn(.amount, name: "Sum")) {
            try ReportColumns(header: fort, named: [.amount: "Sum"])
        }
        #expect(throws: ReportColumnsError.repeated(.amount, name: "Amount")) {
            try ReportColumns(header: ["Merchant Reference", "Amount", "Amount", "Currency", "Operation", "Status"])
        }
        #expect(throws: ReportColumnsError.missing(.merchantReference, header: ["a"])) {
            try ReportColumns(header: ["a"])
        }
    }

    /// CSV injection: a spreadsheet evaluates a text that looks like a formula.
    @Test func neutralizesFormulas() {
        #expect(CSVRecord.text(["=1+1", "-A", "+1", "@x", "a,b", "a\"b", nil]) == #"'=1+1,'-A,'+1,'@x,"a,b","a""b","#)
    }
}
