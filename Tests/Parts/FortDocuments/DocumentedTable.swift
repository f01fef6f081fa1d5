/// A parameter as a row of FORT's documents describes it.
public struct DocumentedField: Sendable {
    public let name: String
    /// The type in the document's words, in lower case: `Alpha`, `Alphanumeric`, `Numeric`, `String`, `Integer`, `Object`.
    public let type: String
    /// Whether the parameter is mandatory. `nil` in a table of answers, which does not say it.
    public let isMandatory: Bool?
    /// The maximum length, or `nil` for an object.
    public let maximumLength: Int?
    /// The signs in the column "Special Characters".
    public let characters: Set<Character>
    /// The values in the column "Possible/Expected Values", in the document's spelling.
    public let values: [String]
    /// The text in brackets after a value: `MADA` is "for Purchase operations and eci Ecommerce only".
    public let conditions: [String: String]
    /// The example, or `nil` if it cannot be separated from the other columns.
    public let example: String?
}

/// A table of FORT's documents.
public struct DocumentedTable: Sendable {
    public let fields: [DocumentedField]

    public var names: [String] { fields.map(\.name) }

    public subscript(name: String) -> DocumentedField? { fields.first { $0.name == name } }
}

/// The tables of the documents 000 to 003: the mobile SDK guide as the text of its pages and as tables, the page "iOS SDK
/// Operations", and the page "Apple Pay API".
public enum FortDocument: String, CaseIterable, Sendable {
    case guideTokenRequest = "000, 5.4.1"
    case guideTokenResponse = "000, 5.4.2"
    case guideOperationRequest = "000, 6.7.1"
    case guideOperationResponse = "000, 6.7.2"
    case operationsRequest = "001, iOS SDK Operations"
    case operationsResponse = "001, SDK Operations response"
    case tabularTokenRequest = "002, 5.4.1"
    case tabularTokenResponse = "002, 5.4.2"
    case tabularOperationRequest = "002, 6.7.1"
    case tabularOperationResponse = "002, 6.7.2"
    case webRequest = "003, Web Integration, request"
    case webResponse = "003, Web Integration, response"
    case sdkRequest = "003, SDK Integration, request"
    case sdkResponse = "003, SDK Integration, response"

    public var isRequest: Bool { Self.requests.contains(self) }

    public static let requests: [FortDocument] = [
        .guideTokenRequest, .guideOperationRequest, .operationsRequest, .tabularTokenRequest, .tabularOperationRequest,
        .webRequest, .sdkRequest,
    ]
    public static let responses = allCases.filter { !requests.contains($0) }

    public func table() throws -> DocumentedTable {
        let fields: [DocumentedField] =
            switch self {
            case .guideTokenRequest: try GuidePages.fields(from: "5.4.1", to: "5.4.2")
            case .guideTokenResponse: try GuidePages.fields(from: "5.4.2", to: "6 Integrate")
            case .guideOperationRequest: try GuidePages.fields(from: "6.7.1", to: "6.7.2")
            case .guideOperationResponse: try GuidePages.fields(from: "6.7.2", to: "6.8 FORT")
            case .operationsRequest:
                try OperationsPage.fields(from: "iOS SDK Operations", to: "SDK Operations response")
            case .operationsResponse: try OperationsPage.fields(from: "SDK Operations response", to: nil)
            case .tabularTokenRequest: try TabularGuide.fields(of: "5.4.1")
            case .tabularTokenResponse: try TabularGuide.fields(of: "5.4.2")
            case .tabularOperationRequest: try TabularGuide.fields(of: "6.7.1")
            case .tabularOperationResponse: try TabularGuide.fields(of: "6.7.2")
            case .webRequest: try ApplePayPage.fields(ofTable: 0)
            case .webResponse: try ApplePayPage.fields(ofTable: 1)
            case .sdkRequest: try ApplePayPage.fields(ofTable: 2)
            case .sdkResponse: try ApplePayPage.fields(ofTable: 3)
            }
        guard !fields.isEmpty else { throw NoSuchTable(name: rawValue) }
        return DocumentedTable(fields: fields)
    }

    struct NoSuchTable: Error { let name: String }
}
