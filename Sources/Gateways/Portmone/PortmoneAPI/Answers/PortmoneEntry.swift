public import PayrelayPrimitives

/// One object of an answer: a bill, or a part of its history.
///
/// Portmone's methods spell the same names differently (`shopBillId`, `shop_bill_id`, `shopbillId`; `errorCode`,
/// `error_code`), and write a value as text or as a number. So names are compared without underscores and case,
/// and a value is read as its text. If an evaluated name occurs in two spellings with different values, the entry
/// is rejected.
public struct PortmoneEntry: Hashable, Sendable, Redacted {
    /// All members as they arrived. They contain customer data.
    public let members: JSONObject
    private let values: [Name: String]

    /// The names that are evaluated or shown, without underscores and in lower case.
    enum Name: String, CaseIterable {
        case status, error
        case errorCode = "errorcode"
        case errorMessage = "errormessage"
        case payeeID = "payeeid"
        case shopBillID = "shopbillid"
        case shopOrderNumber = "shopordernumber"
        case billNumber = "billnumber"
        case billAmount = "billamount"
        case billCurrency = "billcurrency"
        case isNeed3DS = "isneed3ds"
        case authCode = "authcode"
        case cardMask = "cardmask"
        case cardTypeName = "cardtypename"

        init?(spelled name: String) {
            self.init(rawValue: name.replacingEach("_", with: "").lowercasedASCII)
        }
    }

    /// The maximum length of an evaluated value in bytes.
    static let textLimit = 1_024

    /// - Throws: ``PortmoneAnswerError``.
    init(_ members: JSONObject) throws(PortmoneAnswerError) {
        var values: [Name: String] = [:]
        for member in members.members {
            guard let name = Name(spelled: member.name) else { continue }
            let text: String
            switch member.value {
            case .null: continue
            case .string(let value), .number(let value): text = value
            case .bool, .array, .object: throw .malformed(name: member.name.beginning(64))
            }
            guard !text.isEmpty else { continue }
            guard text.utf8.count <= Self.textLimit else { throw .malformed(name: member.name.beginning(64)) }
            if let other = values[name], !other.isExactly(text) { throw .ambiguous(name: member.name.beginning(64)) }
            values[name] = text
        }
        self.members = members
        self.values = values
    }

    /// The value of a member; `nil` if it is absent, null or empty.
    subscript(name: Name) -> String? { values[name] }

    public var description: String {
        "entry \(self[.status].flatMap(PortmoneStatus.init)?.rawValue ?? "without status")"
    }
}

extension PortmoneEntry {
    /// The bill's status as it was written; `nil` if absent.
    public var statusText: String? { self[.status] }
    /// The bill's status; `nil` if absent or unknown.
    public var status: PortmoneStatus? { self[.status].flatMap(PortmoneStatus.init) }
    /// Portmone's number of the bill.
    public var shopBillID: String? { self[.shopBillID] }
    /// Whether the bank wants the customer to use the bank's page (3-D Secure), which Apple's sheet cannot show.
    public var needs3DS: Bool { self[.isNeed3DS] == "Y" }
    public var authorizationCode: String? { self[.authCode] }
    /// The masked card number, such as `535560******3735`.
    public var cardMask: String? { self[.cardMask] }
    public var cardTypeName: String? { self[.cardTypeName] }
    var errorText: String? { self[.errorMessage] ?? self[.error] }

    /// The error of the entry; `nil` if `errorCode` is absent, or "0", which means no error.
    public var failure: PortmoneFailure? {
        guard let code = self[.errorCode] else { return nil }
        return code.utf8.allSatisfy { $0 == UInt8(ascii: "0") } ? nil : PortmoneFailure(code: code, text: errorText)
    }

    /// Whether the entry has no evaluated member.
    var isBlank: Bool { values.isEmpty }
}

/// An error in Portmone's answer. Portmone does not publish its error codes. Recorded answers of its older
/// interface show three:
///
/// | code | recorded for | refuses the operation |
/// |---|---|---|
/// | 1 | a return of a bill that is not paid | yes |
/// | 5 | a capture that the bill's status does not allow | yes |
/// | 6 | a bill that is cancelled already, or not found | no: this operation may have cancelled the bill |
public struct PortmoneFailure: Hashable, Sendable, CustomStringConvertible {
    /// Portmone's error code; empty if Portmone answered with a text and no code.
    public let code: String
    public let text: String?

    /// Whether the code says that Portmone refused the operation. After any other error, known or unknown,
    /// Portmone may still carry out the operation.
    public var isRefusal: Bool { ["1", "5"].contains { code.isExactly($0) } }

    public var description: String { "error \(code.beginning(40))" }
}
