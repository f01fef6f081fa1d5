import PayrelayPrimitives
import TestPrograms
import Testing

@testable import FortAPI

/// Vectors of APS's documentation and SDKs, and signatures of another implementation of the recipe.
struct FortSignatureVectorTests {
    static let vectors = "vectors/fort-signature.json"
    static let mock = "acceptance/fort_mock.py"

    @Test(.enabled(if: Shared.has(vectors)), arguments: FortSignatureType.allCases)
    func computesEveryVector(type: FortSignatureType) throws {
        let vectors = try #require(try JSON(parsing: try Shared.bytes(Self.vectors)).arrayValue)
        #expect(vectors.count >= 8)
        for vector in vectors {
            let phrase = Secret(try #require(vector["phrase"]?.stringValue))
            let message = try #require(vector["parameters"]?.objectValue)
            #expect(CanonicalText(of: message).exposed(within: phrase) == vector["canonical"]?.stringValue)
            let expected = vector["signatures"]?[type.rawValue]?.stringValue
            #expect(FortSignature(of: message, phrase: phrase, type: type).hexadecimal == expected)
        }
    }

    @Test(.enabled(if: Shared.has(mock) && Shared.python != nil), arguments: FortSignatureType.allCases)
    func agreesWithAnotherImplementationOnRandomMessages(type: FortSignatureType) throws {
        var random = SeededGenerator(seed: 2026)
        let messages = (0..<200).map { _ in RandomMessage.object(depth: 3, using: &random) }
        let program = """
            import json, sys, fort_mock
            for message in json.load(sys.stdin):
                print(fort_mock.signature(message, "p(h{r&a}$e", "\(type.rawValue)"))
            """
        let output = try Shared.run(python: program, input: JSON.array(messages.map(JSON.object)).encoded())
        let theirs = String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
        let ours = messages.map { FortSignature(of: $0, phrase: Secret("p(h{r&a}$e"), type: type).hexadecimal }
        #expect(ours == theirs)
    }
}

/// Random messages, valid and invalid, without null, which the two languages print differently.
enum RandomMessage {
    static func object(depth: Int, using random: inout SeededGenerator) -> JSONObject {
        var object = JSONObject()
        for _ in 0..<Int.random(in: 0...8, using: &random) {
            object[text(using: &random)] = value(depth: depth, using: &random)
        }
        return object
    }

    private static func value(depth: Int, using random: inout SeededGenerator) -> JSON {
        switch Int.random(in: 0..<(depth > 0 ? 6 : 4), using: &random) {
        case 0: .number(String(Int.random(in: -9...9_999_999_999, using: &random)))
        case 1: .bool(Bool.random(using: &random))
        case 2, 3: .string(text(using: &random))
        case 4: .object(object(depth: depth - 1, using: &random))
        default: .array((0..<3).map { _ in value(depth: depth - 1, using: &random) })
        }
    }

    private static func text(using random: inout SeededGenerator) -> String {
        let alphabet = Array("aAbZ019_-. ,={}[]/\\\"'+&é\u{0645}\u{1F600}\n")
        return String(
            (0..<Int.random(in: 0...12, using: &random)).compactMap { _ in alphabet.randomElement(using: &random) })
    }
}
