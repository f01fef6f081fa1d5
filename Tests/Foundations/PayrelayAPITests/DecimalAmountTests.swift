import Foundation
import PayrelayAPI
import PayrelayPrimitives
import Testing

@Suite struct DecimalAmountTests {
    @Test(
        "An amount as people write it becomes minor units by the currency's exponent",
        arguments: [
            ("100", Currency.AED, 10_000), ("0.05", .AED, 5), ("10.5", .KWD, 10_500), ("10.500", .KWD, 10_500),
            ("0", .AED, 0), ("99999999.99", .AED, 9_999_999_999),
        ])
    func becomesMinorUnits(text: String, currency: Currency, units: Int) throws {
        let amount = try #require(Decimal(string: text))
        #expect(try MinorUnits(amount, currency).value == units)
        #expect(try MinorUnits(amount, currency).decimal(in: currency) == amount)
    }

    @Test("An amount is never rounded")
    func isNeverRounded() throws {
        let yen = try #require(Currency(code: "JPY"))
        for (text, currency) in [
            ("0.001", Currency.AED), ("100.005", .AED), ("1.0005", .KWD), ("0.5", yen),
            ("1.0000000000000000000000000000000000001", .AED), ("0.1234567890123456789012345678901234567", .KWD),
        ] {
            let amount = try #require(Decimal(string: text))
            #expect(throws: AmountError.tooManyDecimals(allowed: currency.exponent), "\(text)") {
                try MinorUnits(amount, currency)
            }
        }
    }

    @Test("A text that is not an amount is refused with the reason")
    func refusesWhatIsNoAmount() throws {
        #expect(throws: AmountError.notANumber) { try MinorUnits(Decimal.nan, .AED) }
        #expect(throws: AmountError.negative) { try MinorUnits(Decimal(-1), .AED) }
        #expect(throws: AmountError.tooLarge) { try MinorUnits(Decimal(100_000_000), .AED) }
        #expect(throws: AmountError.tooLarge) { try MinorUnits(Decimal.greatestFiniteMagnitude, .AED) }
    }

    @Test("A text with anything but digits and one point is not an amount")
    func refusesOtherTexts() {
        for text in ["", ".", "1.", ".5", "+1", "-1", "1e3", "1,00", "1 ", "1.0.0", "0x1", "\u{661}"] {
            #expect(throws: AmountError.notANumber, "\(text)") { try MinorUnits(decimal: text, .AED) }
        }
        #expect(throws: AmountError.tooManyDecimals(allowed: 2)) { try MinorUnits(decimal: "1.000", .AED) }
        let long = String(repeating: "9", count: 5_000)
        #expect(throws: AmountError.tooLarge) { try MinorUnits(decimal: long, .AED) }
    }

    @Test("Every minor unit survives the way to a decimal and back, in every exponent")
    func survivesTheWayThereAndBack() throws {
        var generator = SystemRandomNumberGenerator()
        for code in ["AED", "KWD", "JPY", "CLF"] {
            let currency = try #require(Currency(code: code))
            for _ in 0..<500 {
                let units = try #require(MinorUnits(Int.random(in: 0...MinorUnits.limit, using: &generator)))
                #expect(try MinorUnits(units.decimal(in: currency), currency) == units)
                #expect(try MinorUnits(#require(Decimal(string: units.text(in: currency))), currency) == units)
            }
        }
    }

    @Test("The text of an amount has all decimals of its currency")
    func hasAllDecimals() throws {
        let (hundred, fils, dinars, seven): (MinorUnits, MinorUnits, MinorUnits, MinorUnits) = (10_000, 5, 10_500, 7)
        #expect(hundred.text(in: .AED) == "100.00")
        #expect(fils.text(in: .AED) == "0.05")
        #expect(dinars.text(in: .KWD) == "10.500")
        #expect(seven.text(in: try #require(Currency(code: "JPY"))) == "7")
    }
}
