import Foundation
import Testing

@testable import PayrelayPrimitives

@Suite struct JSONWriterTests {
    @Test func writesWhatItReadByteForByte() throws {
        let text = #"{"b":[1,2.50,{"x":"سارة/\"\\\n"}],"a":{},"c":[],"d":null,"e":true}"#
        #expect(String(decoding: try JSON(parsing: text).encoded(), as: UTF8.self) == text)
    }

    @Test func escapesEveryControlCharacterSoThatFoundationReadsTheSame() throws {
        let text = String(String.UnicodeScalarView((0..<0x80).compactMap(Unicode.Scalar.init)))
        let read = try JSONSerialization.jsonObject(with: Data(JSON.array([.string(text)]).encoded()))
        #expect(read as? [String] == [text])
    }

    @Test func indentsForAPerson() throws {
        let json: JSON = ["a": [1, 2], "b": [:]]
        #expect(json.formatted() == "{\n  \"a\": [\n    1,\n    2\n  ],\n  \"b\": {}\n}")
    }

    @Test func randomValuesSurviveWritingAndReading() throws {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<500 {
            let json = JSON.random(depth: 4, using: &generator)
            #expect(try JSON(parsing: json.encoded()) == json)
            #expect(try JSON(parsing: json.formatted()) == json)
        }
    }

    @Test func sortsNamesByTheirBytes() {
        let object: JSONObject = ["merchant_extra1": 1, "merchant_extra": 2, "amount": 3, "Zeta": 4]
        #expect(object.sortedByName().names == ["Zeta", "amount", "merchant_extra", "merchant_extra1"])
    }

    @Test func settingAMemberKeepsItsPlace() {
        var object: JSONObject = ["a": 1, "b": 2]
        object["a"] = 3
        object["c"] = 4
        object["b"] = nil
        #expect(object == ["a": 3, "c": 4])
    }
}

extension JSON {
    fileprivate static func random(depth: Int, using generator: inout some RandomNumberGenerator) -> JSON {
        switch Int.random(in: 0..<(depth == 0 ? 4 : 6), using: &generator) {
        case 0: return .null
        case 1: return .bool(.random(using: &generator))
        case 2: return JSON(Int.random(in: .min ... .max, using: &generator))
        case 3: return .string(randomText(using: &generator))
        case 4:
            return .array(
                (0..<Int.random(in: 0..<4, using: &generator)).map { _ in .random(depth: depth - 1, using: &generator) }
            )
        default:
            return .object(
                JSONObject(
                    (0..<Int.random(in: 0..<4, using: &generator)).map { _ in
                        (randomText(using: &generator), .random(depth: depth - 1, using: &generator))
                    }))
        }
    }

    private static func randomText(using generator: inout some RandomNumberGenerator) -> String {
        let scalars = (0..<Int.random(in: 0..<12, using: &generator)).compactMap { _ in
            Unicode.Scalar(UInt32.random(in: 0..<0x2FF, using: &generator))
        }
        return String(String.UnicodeScalarView(scalars))
    }
}
