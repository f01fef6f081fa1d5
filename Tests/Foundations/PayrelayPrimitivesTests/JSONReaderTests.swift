import Testing

@testable import PayrelayPrimitives

@Suite struct JSONReaderTests {
    @Test func keepsMembersInTheOrderWritten() throws {
        let json = try JSON(parsing: #"{"b": 1, "a": {"z": true, "y": null}, "c": []}"#)
        #expect(json.objectValue?.names == ["b", "a", "c"])
        #expect(json["a"]?.objectValue?.names == ["z", "y"])
    }

    @Test(arguments: ["0", "-0", "10000", "149295435400084008", "10.50", "1e3", "-1.5E-10"])
    func keepsANumberAsWritten(literal: String) throws {
        #expect(try JSON(parsing: literal) == .number(literal))
    }

    @Test(arguments: ["01", "1.", ".5", "1e", "-", "+1", "0x10", "NaN", "1_000"])
    func refusesATextThatIsNotANumber(literal: String) {
        #expect(throws: JSONError.self) { try JSON(parsing: literal) }
    }

    @Test func readsEveryEscape() throws {
        let json = try JSON(parsing: #""\"\\\/\b\f\n\r\t\u0041\u0633\ud83d\ude00 é""#)
        #expect(json == .string("\"\\/\u{8}\u{c}\n\r\tAس😀 é"))
    }

    @Test(arguments: [
        #""\ud83d""#, #""\ude00""#, #""\ud83dA""#, #""\u12g4""#, #""\x41""#, "\"\u{1}\"", "\"\n\"", "\"abc",
    ])
    func refusesABrokenString(text: String) {
        #expect(throws: JSONError.self) { try JSON(parsing: text) }
    }

    @Test func refusesBytesThatAreNotUTF8() {
        #expect(throws: JSONError(reason: .invalidUTF8, offset: 1)) {
            try JSON(parsing: [UInt8(ascii: "\""), 0xFF, UInt8(ascii: "\"")])
        }
    }

    /// Most strings are ASCII, and the reader handles those separately.
    @Test func readsAStringWhereverItLeavesASCII() throws {
        for before in 0..<20 {
            for after in 0..<10 {
                let (start, end) = (String(repeating: "a", count: before), String(repeating: "b", count: after))
                for middle in ["é", "\u{1F4B3}", "é\u{7F}é", "é,\u{5D}é"] {
                    let text = start + middle + end
                    #expect(try JSON(parsing: "[\"\(text)\",1]") == [.string(text), 1])
                    #expect(try JSON(parsing: "\"\(text)\\n\(text)\"") == .string("\(text)\n\(text)"))
                    #expect(throws: JSONError.self) { try JSON(parsing: "\"\(text)") }
                    #expect(throws: JSONError.self) { try JSON(parsing: "\"\(text)\u{1}\"") }
                }
                for broken in [[0x80], [0xC3], [0xC3, 0x28], [0xED, 0xA0, 0x80], [0xFF]] as [[UInt8]] {
                    let bytes = Array("\"\(start)".utf8) + broken + Array("\(end)\"".utf8)
                    let error = #expect(throws: JSONError.self) { try JSON(parsing: bytes) }
                    #expect(error == JSONError(reason: .invalidUTF8, offset: 1))
                }
            }
        }
    }

    @Test func refusesADuplicateName() {
        #expect(throws: JSONError(reason: .duplicateName("amount"), offset: 13)) {
            try JSON(parsing: #"{"amount": 1,"amount": 2}"#)
        }
    }

    @Test func refusesADuplicateNameAmongMany() {
        let members = (0..<1_000).map { "\"m\($0)\": 0" } + ["\"m500\": 1"]
        #expect(throws: JSONError.self) { try JSON(parsing: "{\(members.joined(separator: ","))}") }
    }

    @Test func refusesNestingBeyondTheLimitWithoutExhaustingTheStack() {
        #expect(throws: JSONError(reason: .tooDeep(limit: 16), offset: 16)) {
            try JSON(parsing: String(repeating: "[", count: 1_000_000))
        }
        #expect(throws: Never.self) {
            try JSON(parsing: String(repeating: "[", count: 16) + String(repeating: "]", count: 16))
        }
    }

    @Test(arguments: [
        "", " ", "{", "[1,]", "{\"a\":1,}", "{\"a\" 1}", "{a:1}", "1 2", "tru", "nul", "[1 2]", "]", "{,}",
    ])
    func refusesWhatIsNotJSON(text: String) {
        #expect(throws: JSONError.self) { try JSON(parsing: text) }
    }

    @Test func namesThePlaceOfTheWrongByte() {
        #expect(throws: JSONError(reason: .unexpectedByte(UInt8(ascii: "x")), offset: 6)) {
            try JSON(parsing: "{\"a\": x}")
        }
    }
}
