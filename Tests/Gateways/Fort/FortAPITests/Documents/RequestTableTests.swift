import FortDocuments
import PayrelayPrimitives
import Testing

@testable import FortAPI

/// FORT's tables of requests against the fields that the product checks.
@Suite(.enabled(if: SharedDocuments.areThere)) struct RequestTableTests {
    @Test(arguments: FortDocument.requests) func theProductsFieldsAreTheTables(document: FortDocument) throws {
        let differences = try Self.differences(between: document.table(), and: Self.fields(of: document))
        let listed = Self.deliberate.filter { $0.documents.contains(document) }.map(\.difference)
        #expect(Set(differences).subtracting(listed) == [], "\(document.rawValue)")
        // A difference that no longer exists must not stay on the list.
        #expect(Set(listed).subtracting(differences) == [], "\(document.rawValue)")
    }

    /// Returns the product's fields for the requests of a document.
    private static func fields(of document: FortDocument) -> [FortField] {
        switch document {
        case .guideTokenRequest, .tabularTokenRequest: FortField.ofSdkToken
        case .guideOperationRequest, .tabularOperationRequest, .operationsRequest: FortField.ofSdkOperation
        case .sdkRequest: FortField.ofSdkApplePay
        default: FortField.ofApplePayPage
        }
    }

    /// The page's examples for parameters of orders are accepted.
    @Test(arguments: [FortDocument.webRequest, .sdkRequest]) func theExamplesAreTaken(document: FortDocument) throws {
        for row in try document.table().fields {
            guard let field = Self.fields(of: document).first(where: { $0.name == row.name }), field.origin == .order,
                let example = row.example
            else { continue }
            #expect(field.errors(in: example) == [], "\(row.name)")
        }
    }

    @Test func aRequestForAnSDKTokenIsTheTablesLessTheAccountsAndTheSignature() throws {
        let request = try FortRequest(deviceID: "ffffffff-a9fa-0b44-7b27-29e70033c587")
        let accounts: Set = ["access_code", "merchant_identifier", "signature"]
        for document in [FortDocument.guideTokenRequest, .tabularTokenRequest] {
            #expect(Set(request.parameters.names) == Set(try document.table().names).subtracting(accounts))
        }
    }

    /// Returns the differences, each in a line.
    private static func differences(between table: DocumentedTable, and fields: [FortField]) throws -> [String] {
        var differences: [String] = []
        for field in fields where table[field.name] == nil { differences.append("\(field.name) is only here") }
        for row in table.fields {
            guard let field = fields.first(where: { $0.name == row.name }) else {
                differences.append("\(row.name) is only there")
                continue
            }
            if row.isMandatory != field.isMandatory {
                differences.append("\(row.name) is \(field.isMandatory ? "mandatory" : "optional") here")
            }
            if let length = row.maximumLength, length != field.maximumLength {
                differences.append("\(row.name) is \(field.maximumLength ?? 0) long here, \(length) there")
            }
            if !field.isOf(type: row.type) { differences.append("\(row.name) is \(row.type) there") }
            let (taken, other) = field.signs
            if let taken {
                for sign in row.characters.subtracting(taken).sorted() {
                    differences.append("\(row.name) takes \(sign) there")
                }
                // The columns of the page "Apple Pay API" do not list signs, except for one field.
                if !row.characters.isEmpty {
                    for sign in taken.subtracting(row.characters).sorted() {
                        differences.append("\(row.name) takes \(sign) here")
                    }
                }
            }
            for sign in row.characters where taken == nil && !other {
                differences.append("\(row.name) takes \(sign) there")
            }
            if case .values(let values) = field.content {
                for value in row.values where !values.contains(value) {
                    differences.append("\(row.name) takes \(value) there")
                }
                for value in values where !row.values.contains(value) {
                    differences.append("\(row.name) takes \(value) here")
                }
            } else if !row.values.isEmpty {
                differences.append("\(row.name) is one of a list there")
            }
        }
        return differences
    }

    private struct Difference: Sendable {
        let documents: [FortDocument]
        let difference: String
        let reason: String

        init(_ documents: [FortDocument], _ difference: String, _ reason: String) {
            self.documents = documents
            self.difference = difference
            self.reason = reason
        }
    }

    private static let guide: [FortDocument] = [.guideOperationRequest, .tabularOperationRequest]
    private static let operations = guide + [.operationsRequest]
    private static let extras = ["merchant_extra"] + (1...5).map { "merchant_extra\($0)" }

    /// The product's deliberate differences, with their reasons.
    private static let deliberate: [Difference] =
        [
            Difference(guide + [.sdkRequest], "remember_me is only here", "the page iOS SDK Operations has it"),
            Difference(guide + [.sdkRequest], "signature is only here", "the page iOS SDK Operations has it"),
            Difference([.operationsRequest], "signature is optional here", "a phone has no phrase to sign with"),
            Difference([.operationsRequest], "remember_me is 3 long here, 2 there", "its own value YES is"),
            Difference([.operationsRequest], "remember_me takes NO here", "APS's integration guide has it"),
            Difference(guide, "eci takes MOTO here", "the page iOS SDK Operations has it"),
            Difference(
                guide, "phone_number is alphanumeric there", "letters are no number; the other page says numeric"),
            Difference(guide, "customer_name is alpha there", "its own column has signs, and names have digits"),
            Difference(guide, "customer_name takes   here", "its own example has one"),
            Difference(
                [.guideOperationRequest, .operationsRequest], "customer_name takes , here", "the form of tables has it"),
            Difference(
                [.guideOperationRequest, .operationsRequest], "customer_name takes : here", "the form of tables has it"),
            Difference(
                [.guideOperationRequest, .operationsRequest], "order_description takes , here",
                "the form of tables has it"),
            Difference([.sdkRequest], "customer_ip is optional here", "the page's own sample of the call sends none"),
        ]
        + ["SADAD", "NAPS", "KNET"].map {
            Difference(guide, "payment_option takes \($0) here", "the page iOS SDK Operations has it")
        }
        + extras.flatMap { name in
            [
                Difference(operations, "\(name) takes   here", "the example on the page iOS SDK Operations has one"),
                Difference(operations, "\(name) takes : here", "the example on the page Apple Pay API has one"),
            ]
        }
        + misread.map {
            Difference([.tabularOperationRequest], "\($0) here", "misread there: the text of the guide's pages has it")
        }

    private static let misread =
        ["customer_name takes '", "customer_name takes .", "customer_name takes _", "order_description takes '"]
        + ["settlement_reference takes _"] + extras.map { "\($0) takes _" }
        + extras.dropFirst(2).map { "\($0) takes ," }
}

extension FortField {
    /// Whether values are of the type that a document names. `String` is any text, and `Integer` is a text of digits.
    fileprivate func isOf(type: String) -> Bool {
        switch content {
        case .amount: ["numeric", "integer"].contains(type)
        case .object: type == "object"
        case .currency, .values: ["alpha", "string"].contains(type)
        case .characters(let characters) where characters.letters == .none: ["numeric", "string"].contains(type)
        case .characters, .paddedCharacters, .emailAddress, .ipAddress, .text:
            ["alphanumeric", "string"].contains(type)
        }
    }

    /// The signs that values may have, or `nil` if the content is not a list of characters; and whether other contents take
    /// signs.
    fileprivate var signs: (taken: Set<Character>?, other: Bool) {
        switch content {
        case .characters(let characters), .paddedCharacters(let characters): (Set(characters.others), true)
        case .emailAddress, .ipAddress, .text, .values: (nil, true)
        case .amount, .currency, .object: (nil, false)
        }
    }
}
