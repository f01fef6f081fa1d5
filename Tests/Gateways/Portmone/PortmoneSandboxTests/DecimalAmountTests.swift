import PayrelayPrimitives
import Testing

@testable import PortmoneSandbox

@Suite struct DecimalAmountTests {
    @Test(
        "An exact decimal of the currency is read to its minor units",
        arguments: [
            ("12", 2, 1_200), ("12.5", 2, 1_250), ("12.50", 2, 1_250), ("0.01", 2, 1), ("1.234", 3, 1_234), ("7", 0, 7),
            ("99999999.99", 2, 9_999_999_999),
        ])
    func reads(text: String, exponent: Int, value: Int) {
        #expect(DecimalAmount.read(text, exponent: exponent)?.value == value)
    }

    @Test(
        "Every other text is refused as an amount",
        arguments: [
            "", "0", "0.00", "-1", "+1", "1e2", "1,01", "1.010", "01", "1.", ".5", " 1", "1 ", "1.2.3", "١", "0x10",
            "99999999999", "100000000.00", "NaN", "1.0\u{0301}", "9223372036854775808",
        ])
    func refuses(text: String) {
        #expect(DecimalAmount.read(text, exponent: 2) == nil)
    }

    @Test func decimalsOfAnotherCurrencyAreTooMany() {
        #expect(DecimalAmount.read("1.5", exponent: 0) == nil && DecimalAmount.read("1.2345", exponent: 3) == nil)
    }

    @Test("An amount is written with all decimals, and a negative one with its sign")
    func writes() {
        #expect(DecimalAmount.write(1_050, exponent: 2) == "10.50" && DecimalAmount.write(5, exponent: 2) == "0.05")
        #expect(DecimalAmount.write(-5, exponent: 3) == "-0.005" && DecimalAmount.write(7, exponent: 0) == "7")
    }
}
