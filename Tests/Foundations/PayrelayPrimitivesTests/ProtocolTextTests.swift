import Testing

@testable import PayrelayPrimitives

/// Text of protocols as bytes. Swift's own functions see characters instead: U+0301 combines with the preceding character,
/// U+0600 with the following one, CR LF is one character, and U+212A is another spelling of K.
@Suite struct ProtocolTextTests {
    @Test(
        "a separator separates, whatever combines with it",
        arguments: ["\u{301}", "\u{600}", "\u{FE0F}", "\r", "\u{200D}", ""])
    func separators(mark: String) {
        #expect("a,\(mark)b".parts(at: ",") == ["a", "\(mark)b"[...]])
        #expect("a\(mark),b".parts(at: ",").map(Array.init(ofBytes:)) == ["a\(mark)", "b"].map(Array.init(ofBytes:)))
        #expect("a;\(mark)b".cut(at: ";").before.isExactly("a"))
        #expect("a\(mark)@b".has("@"))
        #expect("https://\(mark)".begins(with: "https://"))
        #expect("\(mark)\"\(mark)".replacingEach("\"", with: "\"\"").isExactly("\(mark)\"\"\(mark)"))
    }

    @Test func partsAreCountedAndEmptyOnesKept() {
        #expect("a,,b,".parts(at: ",") == ["a", "", "b", ""])
        #expect("".parts(at: ",") == [""])
        #expect("a.b.c".parts(at: ".", max: 2) == ["a", "b.c"])
        #expect("a=b=c".cut(at: "=").before == "a" && "a=b=c".cut(at: "=").after == "b=c")
        #expect("a=".cut(at: "=").after == "" && "a".cut(at: "=").after == nil)
        #expect(" a\t b\r\nc ".words == ["a", "b", "c"])
        #expect("\u{A0}a\u{2003}b".words == ["\u{A0}a\u{2003}b"], "ASCII alone is white space of a protocol")
    }

    @Test func linesEndInLineFeedsWithOrWithoutACarriageReturn() {
        #expect("a\r\nb\n\nc".lines == ["a", "b", "", "c"])
        #expect("a\r\n\u{301}b".lines.map(Array.init(ofBytes:)) == ["a", "\u{301}b"].map(Array.init(ofBytes:)))
        for (text, rest) in [("a\n", "a"), ("a\r\n", "a"), ("a", "a"), ("a\n\n", "a\n"), ("\n", ""), ("", "")] {
            #expect(text.withoutLineBreakAtEnd.isExactly(rest))
        }
    }

    @Test func trimmingTakesASCIIWhiteSpaceAlone() {
        #expect(" \t a b \r\n".trimmed == "a b" && " ".trimmed == "" && "".trimmed == "")
        #expect("\n a\t".trimmedOfSpaces == "\n a")
        #expect(" \u{301}".trimmed.isExactly("\u{301}"))
        #expect("000".dropping(first: "0") == "" && "0120".dropping(first: "0") == "120")
        #expect("a//".dropping(last: "/") == "a" && "/".dropping(last: "/") == "")
        #expect("[a]".between("[", "]") == "a" && "[".between("[", "[") == nil && "[]".between("[", "]") == "")
    }

    @Test func comparisonsAreOfBytes() {
        #expect("\u{212A}" == "K" && !"\u{212A}".isExactly("K"))
        #expect("e\u{301}" == "\u{E9}" && !"e\u{301}".isExactly("\u{E9}"))
        #expect("chunked".isSame(ignoringCaseOf: "CHUNKED") && !"chun\u{212A}ed".isSame(ignoringCaseOf: "chunked"))
        #expect("\u{212A}İA".lowercasedASCII.isExactly("\u{212A}İa") && "ßa".uppercasedASCII.isExactly("ßA"))
        #expect("ab".ends(with: "b") && !"b\u{301}".ends(with: "b") && "".ends(with: "") && !"b".ends(with: "ab"))
        #expect("aab".has("ab") && !"a".has("ab") && "a".has(""))
        #expect("Bearer x".after("Bearer ") == "x" && "bearer".after("Bearer") == nil)
        #expect(JSON.string("e\u{301}") != JSON.string("\u{E9}") && JSON.string("a") == "a")
        #expect(JSON.object(["q\u{307}\u{323}": 1])["q\u{323}\u{307}"] == nil)
    }

    @Test func theBeginningIsBoundedWhateverCombines() {
        let long = "a" + String(repeating: "\u{301}", count: 100_000)
        #expect(long.count == 1 && long.beginning(64).utf8.count == 127)
        #expect("ab".beginning(64) == "ab")
    }

    @Test("a CSV cell ends at its closing quotation mark, and does not begin a formula")
    func cells() {
        for mark in ["\u{301}", "\u{200D}", ""] {
            let cell = CSVRecord.text(["x\"\(mark),=1+1,\"\(mark)"])
            #expect(cell.isExactly("\"x\"\"\(mark),=1+1,\"\"\(mark)\""))
        }
        for first in ["=", "+", "-", "@", "\t", "\r", "\n", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}"] {
            #expect(CSVRecord.text([first + "\u{301}1"]).unicodeScalars.first { $0 != "\"" } == "'")
        }
        #expect(CSVRecord.text(["a", nil, ""]) == "a,,")
        // Excel begins a cell at a semicolon if the semicolon is the system's separator.
        #expect(CSVRecord.text(["a@b;=1+1;x;-1;"]) == #""a@b;'=1+1;x;'-1;""#)
        #expect(CSVRecord.text([#"a;"=1;b"#]) == #""a;""'=1;b""#)
        #expect(CSVRecord.text(["a\n=1;b"]) == "\"a\n'=1;b\"")
    }

    @Test("a text that a spreadsheet would read a number or a day out of is one that it leaves as it is")
    func literals() {
        for text in [
            "00008", "084008", "123456789012", "12E456", "1e5", "1.5E+3", "-5", "+5", "1.10", ".5", "1,000", "1-2",
            "2026-11-23", "10:30", "1/2",
        ] {
            #expect(CSVRecord.text([CSVRecord.literal(text)]).contains("'" + text), "\(text)")
            #expect(!CSVRecord.literal(text).hasPrefix("''"))
        }
        for text in [
            "", "0", "8", "14000", "12345678901", "ORDER-1", "S0A001", "E", "-", "2026-11-23T10:30:00Z",
            "2026-11-23-001", "10.0.0.1", "411111******0492", "٠٠٨",
        ] {
            #expect(CSVRecord.literal(text) == text, "\(text)")
        }
    }
}

extension [UInt8] {
    fileprivate init(ofBytes text: some StringProtocol) { self.init(text.utf8) }
}
