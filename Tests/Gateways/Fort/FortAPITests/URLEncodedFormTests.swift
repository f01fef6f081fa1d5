import Foundation
import TestPrograms
import Testing

@testable import PayrelayPrimitives

struct URLEncodedFormTests {
    private func form(_ text: String, limit: Int = 10) throws -> JSONObject {
        try URLEncodedForm(parsing: Array(text.utf8), parameterLimit: limit).parameters
    }

    @Test func decodesNamesAndValuesInTheirOrder() throws {
        #expect(try form("b=2&a=1&c=") == ["b": "2", "a": "1", "c": ""])
        #expect(try form("a+b=c+d%2Be&%61=%26%3d%25") == ["a b": "c d+e", "a": "&=%"])
        #expect(try form("n=%D8%B3%d8%A7+%F0%9F%98%80") == ["n": "سا 😀"])
        #expect(try form("a=*-._~'()") == ["a": "*-._~'()"])
        #expect(try form("") == [:])
    }

    @Test(arguments: ["a=%", "a=%4", "a=%4g", "a=%%41", "%zz=a", "a=%+1"])
    func refusesAnEscapeWithoutTwoHexDigits(text: String) {
        #expect(throws: URLEncodedFormError.invalidEscape) { try form(text) }
    }

    @Test(arguments: ["a", "&", "a=1&", "&a=1", "a=1&&b=2", "=1", "a=1&b"])
    func refusesBodiesThatAreNotPairs(text: String) {
        #expect(throws: URLEncodedFormError.notAPair) { try form(text) }
    }

    @Test(arguments: ["a=1&a=1", "a=1&b=2&%61=3", "merchant_reference=A&merchant_reference=B"])
    func refusesDuplicateNames(text: String) {
        #expect(throws: URLEncodedFormError.self) { try form(text) }
    }

    @Test(arguments: ["a=1=2", "a=1 2", "a=1\n", "a=\u{e9}", "a=\0", "a\t=1"])
    func refusesUnescapedBytes(text: String) {
        #expect(throws: URLEncodedFormError.self) { try form(text) }
    }

    @Test(arguments: ["a=%FF", "a=%C3", "a=%ED%A0%80", "%C0%80=1"])
    func refusesInvalidUTF8(text: String) {
        #expect(throws: URLEncodedFormError.invalidUTF8) { try form(text) }
    }

    @Test func refusesMoreParametersThanTheLimit() throws {
        #expect(try form("a=1&b=2", limit: 2).members.count == 2)
        #expect(throws: URLEncodedFormError.tooManyParameters(limit: 2)) { try form("a=1&b=2&c=3", limit: 2) }
    }

    @Test(.enabled(if: Shared.python != nil))
    func readsBackWhatAnotherLanguageWrites() throws {
        var random = SeededGenerator(seed: 12)
        for _ in 0..<20 {
            let strings = RandomMessage.object(depth: 0, using: &random).members.compactMap { member in
                member.value.stringValue.map { ("n" + member.name, JSON.string($0)) }
            }
            let message = JSONObject(strings)
            let program = """
                import json, sys, urllib.parse
                sys.stdout.write(urllib.parse.urlencode(json.load(sys.stdin)))
                """
            let body = try Shared.run(python: program, input: JSON.object(message).encoded())
            #expect(try URLEncodedForm(parsing: body, parameterLimit: 100).parameters == message)
        }
    }
}
