import PayrelayAPI
import PayrelayPrimitives
import ServedFiles
import Testing
import Yams

/// Compares the clients' model with docs/openapi.yaml.
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

    @Test("A request is the document's example, byte by byte")
    func theExampleIsWhatARequestIs() throws {
        let example = try #require(schemas["PaymentRequest"]?["example"]).json
        var order = Order("ORDER-1001", amount: 10_000, currency: .AED, customerEmail: "sara@example.com")
        order.customerIP = "192.0.2.10"
        let token = AppleToken(json: try #require(example["token"]))
        #expect(order.body(with: token) == example.encoded())
    }

    @Test("A request can have every member of the document, and none that the document does not have")
    func aRequestsMembersAreTheDocuments() throws {
        var order = Order(
            "A", amount: 1, currency: .AED, command: .authorization, language: .arabic, customerEmail: "a@b.example")
        #expect(try members(of: order) == required(of: "PaymentRequest"))
        order.customerIP = "192.0.2.1"
        order.customerName = "A"
        order.phoneNumber = "971501234567"
        order.orderDescription = "B"
        order.statementDescriptor = "C"
        order.settlementReference = "S"
        order.paymentOption = "VISA"
        order.tokenName = "T"
        order.deviceFingerprint = "D"
        order.applicationDataHash = String(repeating: "0", count: 64)
        order.account = "E"
        order.eci = "ECOMMERCE"
        order.recurringMode = "UNSCHEDULED"
        for extra in Order.MerchantExtra.allCases { order.merchantExtra[extra] = "F" }
        #expect(try members(of: order) == properties(of: "PaymentRequest"))
        let request = schemas["PaymentRequest"]?["properties"]
        #expect(words(request?["command"]) == PaymentCommand.all.map(\.rawValue))
        #expect(words(schemas["Language"]) == PaymentLanguage.allCases.map(\.rawValue))
    }

    private func members(of order: Order) throws -> Set<String> {
        Set(try #require(order.json(with: AppleToken(json: [:])).objectValue).names)
    }

    private func words(_ schema: Node?) -> [String]? { schema?["enum"]?.sequence?.compactMap(\.string) }

    @Test("Every example of a payment, an operation and a problem is written as it was read, byte by byte")
    func everyExampleIsWrittenAsItWasRead() throws {
        let payments = try examples(of: "Payment") + examples(of: "PaymentView")
        for example in payments { #expect(try PaymentDocument(parsing: example).json.encoded() == example) }
        let operations = try examples(of: "Operation")
        for example in operations { #expect(try OperationDocument(parsing: example).json.encoded() == example) }
        let problems = try examples(of: "Problem")
        for example in problems { #expect(try ProblemDocument(parsing: example).json.encoded() == example) }
        #expect(payments.count >= 4 && operations.count >= 1 && problems.count >= 2)
    }

    private func examples(of schema: String) throws -> [[UInt8]] {
        try #require(schemas[schema]?["examples"]?.sequence).map { $0.json.encoded() }
    }

    @Test("JSON that is not a payment of the document is not read as one")
    func whatIsNoPaymentIsNotRead() throws {
        let required: Set = ["merchant_reference", "command", "outcome", "amount", "currency"]
        #expect(self.required(of: "Payment") == required)
        let whole: JSONObject = [
            "merchant_reference": "A", "command": "PURCHASE", "outcome": "captured", "amount": 1, "currency": "AED",
        ]
        #expect(try PaymentDocument(parsing: JSON.object(whole).encoded()).outcome == .captured)
        for (name, value) in [
            ("merchant_reference", 1), ("outcome", nil), ("command", 1), ("command", nil), ("unproven", "currency"),
            ("unproven", [1]), ("amount", "1"), ("amount", -1),
            ("currency", .null),
        ] as [(String, JSON?)] {
            var changed = whole
            changed[name] = value
            #expect(throws: DocumentError.self, "\(name)") {
                try PaymentDocument(parsing: JSON.object(changed).encoded())
            }
        }
        for text in ["", "[]", "<html>", "{", "1"] {
            #expect(throws: DocumentError.noJSON) { try PaymentDocument(parsing: Array(text.utf8)) }
            #expect(throws: DocumentError.noJSON) { try ProblemDocument(parsing: Array(text.utf8)) }
        }
    }

    @Test("Every kind of problem is one of the document's, and every one of the document's is a kind")
    func theKindsOfProblemsAreTheDocuments() throws {
        let text = String(decoding: OpenAPIDocument.bytes, as: UTF8.self)
        let documented = text.matches(of: /urn:payrelay:problem:([a-z-]+)/).map { String($0.1) }
        #expect(Set(documented) == Set(ProblemKind.allCases.map(\.rawValue)))
    }

    @Test("A problem of another origin than the relay is none")
    func aForeignProblemIsNone() {
        for type in ["about:blank", "https://example.com/problem", "urn:payrelay:"] {
            let body = JSON.object(["type": .string(type), "title": "x", "status": 409, "detail": "y"]).encoded()
            #expect(throws: DocumentError.missing("type")) { try ProblemDocument(parsing: body) }
        }
    }

    @Test("Two outcomes are a success of a new payment, and two are open")
    func successAndOpen() {
        #expect(PaymentOutcome.all.filter(\.isSuccess) == [.authorized, .captured])
        #expect(PaymentOutcome.all.filter(\.isOpen) == [.processing, .uncertain])
    }
}

extension Node {
    /// The node as JSON. It supports as much of YAML as the document's example needs.
    fileprivate var json: JSON {
        if let mapping { return .object(JSONObject(mapping.map { ($0.key.string ?? "", $0.value.json) })) }
        if let sequence { return .array(sequence.map(\.json)) }
        if tag == Tag(.bool), let bool { return .bool(bool) }
        if tag == Tag(.int), let int { return JSON(int) }
        return .string(string ?? "")
    }
}
