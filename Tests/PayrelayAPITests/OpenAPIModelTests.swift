import OpenAPIDocument
import PayrelayAPI
import PayrelayPrimitives
import Testing
import Yams

/// Holds the model that clients here use against docs/openapi.yaml.
@Suite struct OpenAPIModelTests {
    private let schemas: Node

    init() throws {
        let root = try #require(try Yams.compose(yaml: String(decoding: OpenAPIDocument.bytes, as: UTF8.self)))
        schemas = try #require(root["components"]?["schemas"])
    }

    private func properties(of schema: String) -> Set<String> {
        Set(schemas[schema]?["properties"]?.mapping?.keys.compactMap(\.string) ?? [])
    }

    private func required(of schema: String) -> Set<String> {
        Set(schemas[schema]?["required"]?.sequence?.compactMap(\.string) ?? [])
    }

    @Test("The outcomes are those of the document")
    func outcomes() {
        #expect(PaymentOutcome.all.map(\.rawValue) == schemas["Outcome"]?["enum"]?.sequence?.compactMap(\.string))
    }

    @Test("A request is the document's example, member by member and in its order")
    func theExampleIsWhatARequestIs() throws {
        let example = try #require(schemas["PaymentRequest"]?["example"]).json
        let request = PaymentRequestDocument(
            merchantReference: "ORDER-1001", amount: 10_000, currency: "AED", customerEmail: "sara@example.com",
            customerIP: "192.0.2.10", token: try #require(example["token"]))
        #expect(request.json.encoded() == example.encoded())
    }

    @Test("A request has every member that is required, and none that the document does not have")
    func aRequestsMembersAreTheDocuments() throws {
        let request = PaymentRequestDocument(
            command: .authorization, merchantReference: "A", amount: 1, currency: "AED", language: "ar",
            customerEmail: "a@b.example", customerIP: "192.0.2.1", customerName: "A", orderDescription: "B", token: [:])
        let members = Set(try #require(request.json.objectValue).members.map(\.name))
        #expect(members.isSubset(of: properties(of: "PaymentRequest")))
        #expect(members.isSuperset(of: required(of: "PaymentRequest")))
        let commands = schemas["PaymentRequest"]?["properties"]?["command"]?["enum"]?.sequence?.compactMap(\.string)
        #expect(commands == ["AUTHORIZATION", "PURCHASE"])
    }

    @Test("What is read of a payment is required in the document; an answer without it is no payment")
    func whatIsReadIsRequired() throws {
        #expect(required(of: "Payment").isSuperset(of: [PaymentField.merchantReference, PaymentField.outcome]))
        let answer =
            #"{"merchant_reference":"A","command":"PURCHASE","outcome":"captured","amount":1,"currency":"AED"}"#
        let payment = try PaymentDocument(parsing: Array(answer.utf8))
        #expect(payment.merchantReference == "A" && payment.outcome == .captured)
        for (text, error) in [
            ("", DocumentError.noJSON), ("[]", .missing("merchant_reference")),
            (#"{"merchant_reference":1,"outcome":"captured"}"#, .missing("merchant_reference")),
            (#"{"merchant_reference":"A","outcome":null}"#, .missing("outcome")),
        ] { #expect(throws: error) { try PaymentDocument(parsing: Array(text.utf8)) } }
    }

    @Test("A problem is read by the document's names, and its slug without the prefix")
    func problems() throws {
        #expect(required(of: "Problem").isSuperset(of: ["type", "detail"]))
        let pattern = schemas["Problem"]?["properties"]?["type"]?["pattern"]?.string
        #expect(pattern?.hasPrefix("^\(ProblemDocument.typePrefix)") == true)
        let body = #"{"type":"urn:payrelay:problem:in-flight","title":"x","status":409,"detail":"y"}"#
        let problem = try ProblemDocument(parsing: Array(body.utf8))
        #expect(problem.slug == "in-flight" && problem.detail == "y")
        #expect(try ProblemDocument(parsing: Array("{}".utf8)).slug == nil)
        #expect(throws: DocumentError.noJSON) { try ProblemDocument(parsing: Array("<html>".utf8)) }
    }

    @Test("Of the outcomes, two are a success of a new payment and two are open")
    func successAndOpen() {
        #expect(PaymentOutcome.all.filter(\.isSuccess) == [.authorized, .captured])
        #expect(PaymentOutcome.all.filter(\.isOpen) == [.processing, .uncertain])
    }
}

extension Node {
    /// The same value as JSON: enough of YAML for the document's example.
    fileprivate var json: JSON {
        if let mapping { return .object(JSONObject(mapping.map { ($0.key.string ?? "", $0.value.json) })) }
        if let sequence { return .array(sequence.map(\.json)) }
        if let int { return JSON(int) }
        return .string(string ?? "")
    }
}
