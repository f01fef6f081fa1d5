import FortDocuments
import Foundation
import PayrelayPrimitives
import Testing

@testable import FortAPI

/// FORT's tables of answers against the answers that the product reads: every listed parameter, at its full length.
@Suite(.enabled(if: SharedDocuments.areThere)) struct AnswerTableTests {
    private let account: FortAccount

    init() throws {
        account = try FortAccount(
            accessCode: "zx0IPmPy5jp1vAz8Kpg7", merchantIdentifier: "CycHZxVj", requestPhrase: Secret("REQ"),
            responsePhrase: Secret("RES"))
    }

    @Test(arguments: FortDocument.responses.filter { !$0.rawValue.hasSuffix("5.4.2") })
    func feedbackWithEveryParameterAtItsLengthIsRead(document: FortDocument) throws {
        let table = try document.table()
        var parameters = Self.longest(table)
        parameters["access_code"] = .string(account.accessCode)
        parameters["merchant_identifier"] = .string(account.merchantIdentifier)
        parameters["response_code"] = "14000"
        parameters = signed(parameters)
        let form = parameters.members.map { "\($0.name)=\($0.value.stringValue ?? "")" }.joined(separator: "&")
        for (body, format) in [
            (JSON.object(parameters).encoded(), FortFeedback.Format.json), (Array(form.utf8), .form),
        ] {
            let feedback = try FortFeedback(verifying: body, as: format, of: FortAccounts(account))
            for name in table.names { #expect(feedback[name] == parameters[name]?.stringValue, "\(name)") }
            #expect(feedback.fortID == parameters["fort_id"]?.stringValue && feedback.merchantReference.count == 40)
        }
    }

    @Test(arguments: [FortDocument.guideTokenResponse, .tabularTokenResponse])
    func anAnswerWithATokenOfFullLengthIsRead(document: FortDocument) throws {
        let table = try document.table()
        let request = try FortRequest(
            deviceID: String(repeating: "1", count: table["device_id"]?.maximumLength ?? 0))
        let message = FortMessage(signing: request, for: account)
        var parameters = Self.longest(table)
        for name in ["access_code", "merchant_identifier", "device_id", "service_command", "language"] {
            parameters[name] = message.parameters[name]
        }
        parameters["status"] = "22"
        parameters["response_code"] = "22000"
        parameters = signed(parameters)
        let answer = try FortAnswer(verifying: JSON.object(parameters).encoded(), of: account, to: message)
        #expect(answer.sdkToken?.exposed.count == table["sdk_token"]?.maximumLength)
        for name in table.names { #expect(answer[name] == parameters[name]?.stringValue, "\(name)") }
    }

    /// The codes in the examples of the tables and of the page's samples. The samples have 14000 beside the status 20, "on
    /// hold", which is not a success.
    @Test func theCodesAreKnownAndTheContradictingSamplesProveNothing() throws {
        let text = try SharedDocuments.applePayText()
        let codes = Set(text.matches(of: /response_code.*?(\d{5})/).map { String($0.1) } + ["20064"])
        let statuses = Set(text.matches(of: /\bstatus(?: Integer.*Example\. |": ")(\d\d)\b/).map { String($0.1) })
        #expect(codes == ["14000", "20064"] && statuses == ["20"])
        for code in codes {
            let code = try #require(FortCode(code))
            #expect(code.statusText != nil && code.messageText != nil)
            #expect(code.class(answering: .purchase, status: "20") == .uncertain)
        }
        for status in statuses { #expect(FortCode.statuses[status] != nil) }
    }

    /// Returns each parameter as digits in its full length.
    private static func longest(_ table: DocumentedTable) -> JSONObject {
        JSONObject(table.fields.map { ($0.name, .string(String(repeating: "1", count: $0.maximumLength ?? 1))) })
    }

    private func signed(_ parameters: JSONObject) -> JSONObject {
        var parameters = parameters.filter { $0.name != "signature" }
        let signature = FortSignature(of: parameters, phrase: account.responsePhrase, type: account.signatureType)
        parameters["signature"] = .string(signature.hexadecimal)
        return parameters
    }
}
