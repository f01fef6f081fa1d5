import PayrelayPrimitives
import Testing

@testable import PayrelayPrimitives

/// R14: no number from outside can trap, wrap around, or become another amount.
@Suite struct MinorUnitsTests {
    @Test(arguments: ["0", "1", "10000", "9999999999"])
    func readsDigits(text: String) throws {
        #expect(try #require(MinorUnits(parsing: text)).description == text)
    }

    @Test(
        "R14: a text that is not an amount is refused",
        arguments: [
            "", "-5", "+5", "1e3", "1.0", "100.00", " 1", "1 ", "00", "01", "0x10", "10000000000",
            "9223372036854775807",
            "9223372036854775808", "-9223372036854775808", "1_000", "１０", "٣", "1\u{0}", "NaN", "true",
        ])
    func whatIsNoAmountIsNotRead(text: String) {
        #expect(MinorUnits(parsing: text) == nil)
    }

    @Test("R14: a number out of range is refused as an amount", arguments: [-1, MinorUnits.limit + 1, .max, .min])
    func rejectsANumberOutOfRange(number: Int) {
        #expect(MinorUnits(number) == nil)
    }

    @Test("R14: sums and differences stay in range or are nil") func keepsSumsAndDifferencesInRange() {
        let numbers = [0, 1, 2, 9_999, MinorUnits.limit - 1, MinorUnits.limit].compactMap { MinorUnits($0) }
        for one in numbers {
            for other in numbers {
                #expect(
                    one.adding(other)?.value
                        == (one.value + other.value > MinorUnits.limit ? nil : one.value + other.value))
                #expect(one.subtracting(other)?.value == (one < other ? nil : one.value - other.value))
            }
        }
    }
}
