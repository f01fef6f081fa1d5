import Crypto
import Foundation
import PayrelayPrimitives
import Testing

@testable import FortAPI

/// The code writes the request's bytes and the signed text in one pass over sorted members. These tests make both the slow way,
/// one string at a time, for random parameters.
@Suite struct OnePassTests {
    @Test("A message is the JSON of its sorted members and of the signature over their text", arguments: 0..<40)
    func isWhatTheSlowWayMakes(_: Int) throws {
        var generator = SystemRandomNumberGenerator()
        for type in FortSignatureType.allCases {
            let request = FortRequest(command: .purchase, parameters: .random(depth: 3, using: &generator))
            let account = try Samples.account(type)
            let message = FortMessage(signing: request, for: account)
            var expected = request.parameters
            expected["access_code"] = .string(account.accessCode)
            expected["merchant_identifier"] = .string(account.merchantIdentifier)
            expected = JSONObject(
                expected.members.filter { $0.value != "" && $0.value != .null && $0.name != "signature" }
                    .map { ($0.name, $0.value) })
            let text = Samples.requestPhrase + expected.slowText + Samples.requestPhrase
            expected["signature"] = .string(type.slowSignature(of: text, phrase: Samples.requestPhrase))
            #expect(message.parameters.slowJSON == expected.slowJSON)
            #expect(String(decoding: message.body, as: UTF8.self) == expected.slowJSON)
        }
    }

    @Test("An answer's signature covers its members sorted at the top level alone", arguments: 0..<40)
    func verifiesWhatTheSlowWaySigns(_: Int) throws {
        var generator = SystemRandomNumberGenerator()
        let message = try Samples.message()
        for type in FortSignatureType.allCases {
            var answer = JSONObject.random(depth: 3, using: &generator)
            answer["signature"] = nil
            for name in ["amount", "command", "currency", "merchant_identifier", "merchant_reference"] {
                answer[name] = message.parameters[name]
            }
            answer["response_code"] = "14000"
            let text = Samples.responsePhrase + answer.slowTextAsWritten + Samples.responsePhrase
            let signature = type.slowSignature(of: text, phrase: Samples.responsePhrase)
            answer["signature"] = .string(Bool.random() ? signature : signature.uppercased())
            let body = JSON.object(answer).encoded()
            let read = try FortAnswer(verifying: body, of: try Samples.account(type), to: message)
            #expect(read.parameters == answer)
            answer["signature"] = .string(String(signature.dropLast()) + (signature.last == "0" ? "1" : "0"))
            #expect(throws: FortAnswerError.wrongSignature(saying: FortCode("14000"))) {
                try FortAnswer(
                    verifying: JSON.object(answer).encoded(), of: try Samples.account(type), to: message)
            }
        }
    }
}

extension FortSignatureType {
    fileprivate func slowSignature(of text: String, phrase: String) -> String {
        let (data, key) = (Data(text.utf8), SymmetricKey(data: Data(phrase.utf8)))
        let bytes: [UInt8] =
            switch self {
            case .hmacSHA256: Array(HMAC<SHA256>.authenticationCode(for: data, using: key))
            case .hmacSHA512: Array(HMAC<SHA512>.authenticationCode(for: data, using: key))
            case .sha256: Array(SHA256.hash(data: data))
            case .sha512: Array(SHA512.hash(data: data))
            }
        return bytes.map { String(format: "%02x", $0) }.joined()
    }
}

extension JSONObject {
    private var slowlySorted: [Member] {
        members.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    /// The JSON with sorted members at every level, as in requests.
    fileprivate var slowJSON: String {
        "{" + slowlySorted.map { "\(JSON.string($0.name).slowJSON):\($0.value.slowJSON)" }.joined(separator: ",") + "}"
    }

    fileprivate var slowText: String { slowlySorted.map { "\($0.name)=\($0.value.slowText)" }.joined() }

    fileprivate var slowTextAsWritten: String {
        slowlySorted.map { "\($0.name)=\($0.value.slowTextAsWritten)" }.joined()
    }

    fileprivate func slowText(_ members: [Member], _ text: (JSON) -> String) -> String {
        "{" + members.map { "\($0.name)=\(text($0.value))" }.joined(separator: ", ") + "}"
    }

    fileprivate var slowInnerText: String { slowText(slowlySorted, \.slowText) }
    fileprivate var slowInnerTextAsWritten: String { slowText(members, \.slowTextAsWritten) }
}

extension JSON {
    fileprivate var slowJSON: String {
        switch self {
        case .null: "null"
        case .bool(let truth): "\(truth)"
        case .number(let literal): literal
        case .string(let text): "\"" + text.utf16.map(Self.slowEscape).joined() + "\""
        case .array(let elements): "[" + elements.map(\.slowJSON).joined(separator: ",") + "]"
        case .object(let object): object.slowJSON
        }
    }

    private static func slowEscape(_ unit: UInt16) -> String {
        switch unit {
        case 0x22: #"\""#
        case 0x5C: #"\\"#
        case 0x0A: #"\n"#
        case 0x0D: #"\r"#
        case 0x09: #"\t"#
        case 0x20..<0x7F: String(UnicodeScalar(UInt8(unit)))
        default: String(format: "\\u%04x", unit)
        }
    }

    /// The signed text of a request, in which inner names are sorted too.
    fileprivate var slowText: String { slowText(\.slowText, \.slowInnerText) }
    /// The signed text of an answer, in which inner names keep FORT's order.
    fileprivate var slowTextAsWritten: String { slowText(\.slowTextAsWritten, \.slowInnerTextAsWritten) }

    private func slowText(_ text: (JSON) -> String, _ inner: (JSONObject) -> String) -> String {
        switch self {
        case .null: ""
        case .bool(let truth): "\(truth)"
        case .number(let literal): literal
        case .string(let string): string
        case .array(let elements): "[" + elements.map(text).joined(separator: ", ") + "]"
        case .object(let object): inner(object)
        }
    }
}
