import Testing

@testable import payrelay

@Suite struct CSVReaderTests {
    /// Returns each record as one string with bars between its fields. A malformed record is given by its lines and its reason.
    private func read(_ bytes: [UInt8], inChunksOf size: Int, delimiter: Character = ",") throws -> [String] {
        var rest = bytes[...]
        var reader = CSVReader(delimiter: delimiter.asciiValue ?? 0) {
            defer { rest = rest.dropFirst(size) }
            return Array(rest.prefix(size))
        }
        var read: [String] = []
        while let event = try reader.next() {
            switch event {
            case .record(let line):
                let fields = (0..<reader.fieldCount).map { reader.text($0) ?? "?" }
                read.append("\(line)|" + fields.joined(separator: "|"))
            case .malformed(let lines, let reason): read.append("\(lines) \(reason)")
            }
        }
        return read
    }

    @Test(arguments: [
        ("a,b\r\nc,d\r\n", ["1|a|b", "2|c|d"]), ("a,b\nc,d", ["1|a|b", "2|c|d"]),
        ("\u{FEFF}a,b\r\n", ["1|a|b"]), ("", []), ("\n\r\n\n", []), ("a\n\nb\n", ["1|a", "3|b"]),
        ("a,,\n", ["1|a||"]), (",\n", ["1||"]), ("\"a,b\",c\n", ["1|a,b|c"]), ("\"\"\n\"\",\n", ["2||"]),
        ("\"a\"\"b\",\"\"\"\"\n", ["1|a\"b|\""]), ("\"a\r\nb\",c\nd,e\n", ["1|a\r\nb|c", "3|d|e"]),
        ("é,🙂\n", ["1|é|🙂"]),
        // A malformed record is reported, and the next line is read.
        ("a\"b,c\nd\n", ["1...1 a quotation mark stands within a field without any", "2|d"]),
        ("\"a\"b,c\nd\n", ["1...1 text after a closing quotation mark", "2|d"]),
        ("a\rb\nc\n", ["1...1 a carriage return without a line feed", "2|c"]),
        ("a\n\"b\nc\n", ["1|a", "2...3 a quotation mark is not closed"]),
    ])
    func readsRecords(text: String, expected: [String]) throws {
        for size in [1, 2, 3, 7, 1_000] { #expect(try read(Array(text.utf8), inChunksOf: size) == expected) }
    }

    @Test func takesAnotherDelimiter() throws {
        #expect(try read(Array("a;b,c\n".utf8), inChunksOf: 4, delimiter: ";") == ["1|a|b,c"])
    }

    @Test func bytesThatAreNotTextAreDistinguishedFromText() throws {
        #expect(try read([0xFF, 0x2C, 0x61, 0x0A], inChunksOf: 2) == ["1|?|a"])
    }

    @Test("S14: a quotation mark that is not closed takes in no more than a record may be long")
    func aRecordIsBounded() throws {
        let line = String(repeating: "x", count: 99) + "\n"
        let text = "a\n\"" + String(repeating: line, count: 2_000) + "end\n"
        let events = try read(Array(text.utf8), inChunksOf: 4_096)
        #expect(events.first == "1|a" && events.last == "2002|end")
        #expect(events[1].hasSuffix("a quotation mark is not closed") && events[1].hasPrefix("2..."))
        // Every line is either a record or reported.
        let first = try #require(Int(events[1].dropFirst("2...".count).prefix { $0.isNumber }))
        #expect(events.count == 2 + 2_002 - first)
        let long = try read(Array((String(repeating: "y", count: 100_000) + "\nb\n").utf8), inChunksOf: 4_096)
        #expect(long == ["1...1 the record is too long", "2|b"])
        let many = try read(Array((String(repeating: ",", count: 5_000) + "\nb\n").utf8), inChunksOf: 4_096)
        #expect(many == ["1...1 the record has too many fields", "2|b"])
    }
}
