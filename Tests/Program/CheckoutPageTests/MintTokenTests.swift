import PayrelayPrimitives
import Testing

@testable import payrelay_dev

/// The request for a token has a decimal amount, and the token has minor units.
@Suite struct MintTokenTests {
    @Test(arguments: [
        ("100.00", "AED", 10_000), ("100", "AED", 10_000), ("100.5", "AED", 10_050), ("0.01", "AED", 1),
        ("10.000", "KWD", 10_000), ("7", "JPY", 7),
    ])
    func aDecimalIsReadInTheMinorUnitsOfItsCurrency(text: String, code: String, amount: Int) throws {
        let currency = try #require(Currency(code: code))
        #expect(MintToken.amount(text, in: currency)?.value == amount)
    }

    @Test(arguments: [
        "", ".", "1.", ".5", "-1", "+1", "1e3", "1,00", "1.000", "0", "0.00", "99999999999", "١", "1 ", "1.0.0", "0x1",
        "999999999999999999999999999999",
    ])
    func aTextThatIsNotAnAmountIsRefused(text: String) throws {
        let currency = try #require(Currency(code: "AED"))
        #expect(MintToken.amount(text, in: currency) == nil)
    }
}
