import Foundation
import JournalContract
import PaymentRelay
import Testing

@Suite struct SearchCursorTests {
    /// Anybody can make the digest of a cursor. What stands in it goes into a statement of the journal.
    @Test(
        "a cursor with a control character is no cursor",
        arguments: ["A\0", "\0", "A\u{1}B", "\u{1F}", "\u{7F}", "A\n"])
    func refusesControlCharacters(reference: String) {
        let query = PaymentQuery()
        let text = query.text(of: PaymentCursor(at: .wholeSecond, merchantReference: reference))
        #expect(query.cursor(text) == nil)
        let good = PaymentCursor(at: .wholeSecond, merchantReference: "A-1")
        #expect(query.cursor(query.text(of: good)) == good)
    }
}
