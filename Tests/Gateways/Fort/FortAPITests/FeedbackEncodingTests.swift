import FortAPI
import Foundation
import PayrelayPrimitives
import Testing

/// The sandbox and the tests write feedback as FORT does, and no value is lost in the encoding.
@Suite struct FeedbackEncodingTests {
    static let message: JSONObject = [
        "merchant_reference": "ORDER-1.void-10029", "response_code": "14000", "amount": 10_000,
        "customer_name": "سارة الأحمد", "order_description": "Tea & 50% + \"x\" = #1 / 2\n~*", "merchant_extra": "",
    ]

    @Test(arguments: FortFeedback.Format.allCases)
    func encodedFeedbackVerifies(format: FortFeedback.Format) throws {
        let account = try FortAccount(
            accessCode: "ACCESS", merchantIdentifier: "MERCHANT", requestPhrase: Secret("REQ"),
            responsePhrase: Secret("RES"))
        var message = Self.message
        message["access_code"] = "ACCESS"
        message["signature"] = .string(
            FortSignature(of: message, phrase: Secret("RES"), type: account.signatureType).hexadecimal)
        let read = try FortFeedback(verifying: format.encoded(message), as: format, of: FortAccounts(account))
        for name in message.names where name != "amount" { #expect(read.parameters[name] == message[name], "\(name)") }
        #expect(read["amount"] == "10000")
        #expect(FortFeedback.Format(contentType: format.contentType) == format)
    }

    /// Foundation cannot write forms, but it can decode percent encoding.
    @Test func anotherImplementationReadsTheSameForm() throws {
        let form = String(decoding: FortFeedback.Format.form.encoded(Self.message), as: UTF8.self)
        let pairs = form.split(separator: "&").map { $0.split(separator: "=", omittingEmptySubsequences: false) }
        #expect(pairs.map { String($0[0]) } == Self.message.names)
        let values = pairs.map { $0[1].replacing("+", with: " ").removingPercentEncoding }
        #expect(values == Self.message.members.map { $0.value.stringValue ?? "10000" })
        #expect(form.utf8.allSatisfy { (0x21..<0x7F).contains($0) })
    }

    @Test func aFormLeavesOutNestedValues() {
        let form = FortFeedback.Format.form.encoded(["a": ["b": 1], "c": .null, "d": true])
        #expect(String(decoding: form, as: UTF8.self) == "d=true")
    }
}
