import PayrelayPrimitives
import TestPrograms
import Testing

@testable import PortmoneAPI

@Suite struct DecimalAmountTests {
    /// All currencies of ISO 4217.
    private static let currencies: [Currency] = {
        let letters = (UInt8(ascii: "A")...UInt8(ascii: "Z")).map { String(Unicode.Scalar($0)) }
        let pairs = letters.flatMap { one in letters.map { one + $0 } }
        return pairs.flatMap { pair in letters.compactMap { Currency(code: pair + $0) } }
    }()

    @Test("R14: an amount is written and read back exactly, in every currency", arguments: currencies)
    func everyAmountComesBack(currency: Currency) throws {
        var random = SeededGenerator(seed: 34)
        let values =
            [0, 1, 9, 10, 99, 100, 101, 999, 1_000, 9_999, 10_000, MinorUnits.limit]
            + (0..<200).map { _ in Int.random(in: 0...MinorUnits.limit, using: &random) }
        for value in values {
            let amount = try #require(MinorUnits(value))
            let text = DecimalAmount.text(of: amount, in: currency)
            #expect(DecimalAmount.read(text, in: currency) == amount)
            #expect(DecimalAmount.readNegative("-\(text)", in: currency) == (value == 0 ? nil : amount))
            // The amount is a JSON number, and keeps its spelling.
            #expect(try JSON(parsing: text) == .number(text))
        }
    }

    @Test(
        "minor units are the currency's own",
        arguments: [
            (1_050, "UAH", "10.50"), (1_050, "JPY", "1050"), (1_050, "KWD", "1.050"), (1_050, "CLF", "0.1050"),
            (5, "UAH", "0.05"), (5, "KWD", "0.005"), (0, "UAH", "0.00"), (0, "JPY", "0"),
            (9_999_999_999, "UAH", "99999999.99"), (9_999_999_999, "JPY", "9999999999"),
        ])
    func anAmountIsWritten(minorUnits: Int, code: String, text: String) throws {
        let amount = try #require(MinorUnits(minorUnits))
        #expect(DecimalAmount.text(of: amount, in: try Samples.currency(code)) == text)
    }

    @Test(
        "fewer decimals than the currency has are the same amount",
        arguments: [("10", 1_000), ("10.5", 1_050), ("10.50", 1_050), ("0.5", 50), ("0", 0), ("0.0", 0)])
    func fewerDecimals(text: String, minorUnits: Int) throws {
        #expect(DecimalAmount.read(text, in: try Samples.currency("UAH"))?.value == minorUnits)
    }

    @Test(
        "R14: a text that is not an exact decimal of the currency is not an amount",
        arguments: [
            "1.010", "1,01", "1e2", "1E2", "1.0e1", " 1", "1 ", "+1", "-1", "-1.00", "", ".", ".5", "5.", "1.2.3",
            "01.00",
            "00", "1_0", "0x10", "1\u{301}", "１", "١", "NaN", "inf", "1.0\u{0}", "\u{FEFF}1", "1,000.00", "1'000",
            "100000000.00", "99999999999", "99999999999999999999999999", "0.000000000000000000001", "-0", "--1", "1-",
            "1.-1", "1.+1", "9999999999",
        ])
    func anythingElseIsRefused(text: String) throws {
        #expect(DecimalAmount.read(text, in: try Samples.currency("UAH")) == nil)
    }

    @Test("a currency without decimals has no point", arguments: ["1.0", "1.00", "1."])
    func noPointWithoutDecimals(text: String) throws {
        #expect(DecimalAmount.read(text, in: try Samples.currency("JPY")) == nil)
    }

    @Test(
        "a return's amount is negative, and zero is none",
        arguments: ["1", "-0", "-0.00", "- 1", "--1", "-", "-1.010", "-1e2", "−1"])
    func negativeAmounts(text: String) throws {
        #expect(DecimalAmount.readNegative(text, in: try Samples.currency("UAH")) == nil)
    }

    /// Compares with independent arithmetic: the digits as one number, divided by the number of digits behind the point.
    @Test("any text of digits and signs is the amount that arithmetic says, or none")
    func agreesWithArithmetic() throws {
        var random = SeededGenerator(seed: 7)
        let alphabet = Array("0123456789.-+, e".unicodeScalars)
        var read = 0
        for currency in try ["JPY", "UAH", "KWD", "CLF"].map(Samples.currency) {
            for _ in 0..<5_000 {
                let length = Int.random(in: 0...8, using: &random)
                var text = ""
                for _ in 0..<length {
                    // Most texts have only digits and a point, so that many of them are amounts.
                    let limit = Bool.random(using: &random) ? 10 : alphabet.count - 1
                    text.unicodeScalars.append(alphabet[Int.random(in: 0...limit, using: &random)])
                }
                guard let amount = DecimalAmount.read(text, in: currency) else { continue }
                read += 1
                let digits = text.utf8.filter { $0 != UInt8(ascii: ".") }
                let behind =
                    text.utf8.firstIndex(of: UInt8(ascii: ".")).map {
                        text.utf8.distance(from: $0, to: text.utf8.endIndex) - 1
                    } ?? 0
                let number = try #require(Int(String(decoding: digits, as: UTF8.self)))
                let scale = (0..<(currency.exponent - behind)).reduce(1) { product, _ in product * 10 }
                #expect(amount.value == number * scale, "\(text) in \(currency.code)")
            }
        }
        #expect(read > 500)
    }
}
