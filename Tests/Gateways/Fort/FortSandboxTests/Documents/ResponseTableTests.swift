import FortAPI
import FortDocuments
import Foundation
import PayrelayPrimitives
import Testing

@testable import FortSandbox

/// FORT's tables of answers against the sandbox's answers to a request with every possible parameter.
@Suite(.enabled(if: SharedDocuments.areThere)) struct ResponseTableTests {
    private let sdk: SdkExchange

    init() throws { sdk = try SdkExchange() }

    @Test(arguments: [FortDocument.guideTokenResponse, .tabularTokenResponse])
    func theAnswerWithATokenIsTheTable(document: FortDocument) async throws {
        let request = try FortRequest(deviceID: SdkExchange.device)
        let answer = try await sdk.bench.answer(to: FortMessage(signing: request, for: sdk.bench.account).body)
        #expect(Self.differences(between: try document.table(), and: answer.parameters) == [])
    }

    @Test(arguments: [
        (FortDocument.guideOperationRequest, FortDocument.guideOperationResponse),
        (.tabularOperationRequest, .tabularOperationResponse), (.operationsRequest, .operationsResponse),
    ])
    func theAnswerToAnOperationIsTheTable(request: FortDocument, response: FortDocument) async throws {
        let saved = try await sdk.answer(sdk.operation(sdk.token(), "FIRST", ["remember_me": "YES"]))
        let documented = try request.table()
        let all = Self.optional.filter { documented[$0.name] != nil }
        let operation = try sdk.operation(await sdk.token(), "A", all).adding("token_name", saved["token_name"])
        let unnamed = documented.fields.filter { $0.isMandatory == false && operation[$0.name] == nil }.map(\.name)
        #expect(unnamed == [], "the request has everything that may be in it")
        let answer = try await sdk.answer(operation)
        #expect(answer["response_code"] == "14000")
        let differences = Self.differences(between: try response.table(), and: answer)
        #expect(differences == Self.besides(response))
    }

    @Test func theAnswerToApplePayThroughTheSDKIsTheTable() async throws {
        let names = Set(try FortDocument.sdkRequest.table().names).subtracting(["payment_option"])
        let saved = try await sdk.answer(sdk.operation(sdk.token(), "FIRST", ["remember_me": "YES"]))
        var request = try sdk.operation(await sdk.token(), "A", sdk.applePay())
        for member in Self.optional.members where names.contains(member.name) { request[member.name] = member.value }
        request["eci"] = "ECOMMERCE"
        request["token_name"] = saved["token_name"]
        let answer = try await sdk.answer(request)
        #expect(answer["response_code"] == "14000")
        let differences = Self.differences(between: try FortDocument.sdkResponse.table(), and: answer)
        #expect(differences == Self.besides(.sdkResponse))
    }

    @Test func theAnswerToApplePayOnTheWebIsTheTable() async throws {
        let table = try FortDocument.webRequest.table()
        var fields: [String: String] = ["recurring_mode": "UNSCHEDULED"]
        for member in Self.optional.members where table[member.name] != nil {
            fields[member.name] = member.value.stringValue
        }
        fields["eci"] = "ECOMMERCE"
        let message = try sdk.bench.payment("A", fields: fields)
        let answer = try await sdk.bench.answer(to: message.body).parameters
        #expect(answer["response_code"] == "14000")
        let differences = Self.differences(between: try FortDocument.webResponse.table(), and: answer)
        #expect(differences == Self.besides(.webResponse))
    }

    /// The optional parameters of an operation.
    private static let optional: JSONObject = [
        "payment_option": "VISA", "eci": "ECOMMERCE", "order_description": "iPhone 6-S",
        "statement_descriptor": "MYSTORE-PURCHASE", "customer_ip": "192.178.1.10", "customer_name": "John Smith",
        "phone_number": "00962797219966", "settlement_reference": "XYZ9239-yu898", "remember_me": "NO",
        "merchant_extra": "JohnSmith", "merchant_extra1": "JohnSmith", "merchant_extra2": "JohnSmith",
        "merchant_extra3": "JohnSmith", "merchant_extra4": "JohnSmith", "merchant_extra5": "JohnSmith",
    ]

    /// Returns the sandbox's deliberate differences, with their reasons.
    private static func besides(_ document: FortDocument) -> Set<String> {
        let guide: [FortDocument] = [.guideOperationResponse, .tabularOperationResponse]
        let applePay: [FortDocument] = [.webResponse, .sdkResponse]
        let reasons: [(documents: [FortDocument], difference: String, reason: String)] =
            [
                (guide, "card_number is no number", "it is masked, as in the table's own example"),
                (guide, "signature is only here", "an answer is signed, and the page iOS SDK Operations has it"),
            ]
            + ["access_code", "merchant_identifier", "card_holder_name", "language"].map {
                (guide + [.operationsResponse], "\($0) is only here", "the page Apple Pay API has it")
            }
            + [
                ([.operationsResponse], "card_number is no number", "it is masked, as in the table's own example"),
                ([.operationsResponse], "remember_me is only here", "every parameter that is sent is answered"),
                ([.webResponse], "token_name is only here", "with recurring_mode: a recurring payment names it"),
            ]
            + (["merchant_extra"] + (1...5).map { "merchant_extra\($0)" }).map {
                (applePay, "\($0) is only here", "every parameter that is sent is answered")
            }
        return Set(reasons.filter { $0.documents.contains(document) }.map(\.difference))
    }

    /// Returns the differences between an answer and its table, each in a line.
    private static func differences(between table: DocumentedTable, and answer: JSONObject) -> Set<String> {
        var differences = Set(answer.names.filter { table[$0] == nil }.map { "\($0) is only here" })
        for field in table.fields {
            guard let value = answer[field.name]?.stringValue, !value.isEmpty else {
                differences.insert("\(field.name) is not answered")
                continue
            }
            if let length = field.maximumLength, value.count > length {
                differences.insert("\(field.name) is too long")
            }
            let isNumber = ["numeric", "integer"].contains(field.type) && field.name != "phone_number"
            if isNumber, !value.allSatisfy({ $0.isASCII && $0.isNumber }) {
                differences.insert("\(field.name) is no number")
            }
            if field.type == "alpha", value.contains(where: \.isNumber) {
                differences.insert("\(field.name) has digits")
            }
            if !field.values.isEmpty, !field.values.contains(value) {
                differences.insert("\(field.name) is none of the values")
            }
        }
        return differences
    }
}

extension JSONObject {
    fileprivate func adding(_ name: String, _ value: JSON?) -> JSONObject {
        var object = self
        object[name] = value
        return object
    }
}
