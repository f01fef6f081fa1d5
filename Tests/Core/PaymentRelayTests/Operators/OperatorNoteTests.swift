import PaymentRelay
import Testing

@Suite struct OperatorNoteTests {
    @Test(
        "characters that are not text are left out of a note, and text stays",
        arguments: [
            ("Sara called.", "Sara called."), ("  a\r\nb\rc\n\n\n\n\nd \n", "a\nb\nc\n\nd"),
            ("a\tb\0\u{7}\u{1B}[31m", "a b[31m"),
            ("\u{202E}neddih\u{202C} \u{2066}x\u{2069}", "neddih x"), ("a\u{2028}b\u{85}c", "a\nbc"),
            ("سارة\u{200F} اتصلت", "سارة\u{200F} اتصلت"), ("<b>&amp;\"'", "<b>&amp;\"'"), ("👩‍👧", "👩‍👧"),
        ])
    func cleans(typed: String, text: String) throws {
        #expect(try Array(OperatorNote(typed).text.unicodeScalars) == Array(text.unicodeScalars))
    }

    @Test("a note without text is none", arguments: ["", " ", "\n\t\u{A0}", "\u{202E}\0", "\u{2069}\u{85}"])
    func refusesNothing(typed: String) {
        #expect(throws: OperatorNoteError.empty) { try OperatorNote(typed) }
    }

    @Test("a note has at most 500 characters, however few they look like") func refusesTooMuch() throws {
        #expect(try OperatorNote(String(repeating: "\u{1F600}", count: 500)).text.utf8.count == OperatorNote.byteLimit)
        for text in [String(repeating: "x", count: 501), "e" + String(repeating: "\u{301}", count: 500)] {
            #expect(throws: OperatorNoteError.tooLong) { try OperatorNote(text) }
        }
    }
}
