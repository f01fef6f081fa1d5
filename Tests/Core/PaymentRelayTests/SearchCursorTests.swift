import Foundation
import JournalContract
import PaymentRelay
import PayrelayPrimitives
import Testing

@Suite struct SearchCursorTests {
    private static let good = PaymentCursor(at: .wholeSecond, merchantReference: "A-1")

    /// The cursor's text goes into a statement of the journal.
    @Test(
        "a cursor with a control character is refused",
        arguments: ["A\0", "\0", "A\u{1}B", "\u{1F}", "\u{7F}", "A\n"])
    func refusesControlCharacters(reference: String) {
        #expect(PaymentCursor(PaymentCursor(at: .wholeSecond, merchantReference: reference).text) == nil)
        #expect(PaymentCursor(Self.good.text) == Self.good)
    }

    @Test(
        "a text that is not a cursor is refused",
        arguments: ["", "A", "====", "AAAAAAAA", String(repeating: "A", count: 513)])
    func refusesWhatIsNone(text: String) {
        #expect(PaymentCursor(text) == nil)
    }

    @Test func refusesATimeBeyondTheYear9999() {
        let bytes: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x41]
        #expect(PaymentCursor(Base64URL.encode(bytes)) == nil)
    }

    @Test func refusesTextThatIsNotUTF8() {
        #expect(PaymentCursor(Base64URL.encode([0, 0, 0, 0, 0, 1, 0xC3])) == nil)
    }
}
