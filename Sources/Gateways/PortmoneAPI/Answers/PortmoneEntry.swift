public import PayrelayPrimitives

/// One object of an answer: a bill, or a part of its story.
///
/// Portmone's methods spell the same names differently (`shopBillId`, `shop_bill_id`, `shopbillId`; `errorCode`, `error_code`), and
/// write every value as a text or as a number. So a name counts without its underscores and without its case, and a value is its text.
/// Where a name that counts stands twice in two spellings, with two values, the entry is refused.
public struct PortmoneEntry: Hashable, Sendable, Redacted {
    /// Everything as it arrived. It holds customer data.
    public let members: JSONObject
    private let values: [Name: String]

    /// The names that something is decided by, or that are shown. Without underscores, in lower case.
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

    /// Of a value that counts, in bytes.
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

    /// Nil where it is absent, null or empty.
    subscript(name: Name) -> String? { values[name] }

    public var description: String {
        "entry \(self[.status].flatMap(PortmoneStatus.init)?.rawValue ?? "without status")"
    }
}

extension PortmoneEntry {
    /// As it is written; nil where there is none.
    public var statusText: String? { self[.status] }
    /// Nil where there is none, or one that is not known.
    public var status: PortmoneStatus? { self[.status].flatMap(PortmoneStatus.init) }
    /// Portmone's number of the bill.
    public var shopBillID: String? { self[.shopBillID] }
    /// Whether the bank wants the customer on a page of its own, which Apple's sheet cannot show.
    public var needs3DS: Bool { self[.isNeed3DS] == "Y" }
    public var authorizationCode: String? { self[.authCode] }
    /// `535560******3735`.
    public var cardMask: String? { self[.cardMask] }
    public var cardTypeName: String? { self[.cardTypeName] }
    var errorText: String? { self[.errorMessage] ?? self[.error] }

    /// Error of the entry; nil if `errorCode` is absent. "0" stands for no error.
    public var failure: PortmoneFailure? {
        guard let code = self[.errorCode] else { return nil }
        return code.utf8.allSatisfy { $0 == UInt8(ascii: "0") } ? nil : PortmoneFailure(code: code, text: errorText)
    }

    /// Whether nothing in it counts.
    var isBlank: Bool { values.isEmpty }
}

/// An error that Portmone answers. Its codes are published nowhere. Recorded answers of its older interface have three:
///
/// | code | recorded for | refuses the operation |
/// |---|---|---|
/// | 1 | a return of a bill that is not paid | yes |
/// | 5 | a capture that the bill's status does not allow | yes |
/// | 6 | a bill that is cancelled already, or not found | no: it may be cancelled because this operation was carried out |
public struct PortmoneFailure: Hashable, Sendable, CustomStringConvertible {
    /// Empty if Portmone answered a text without a code.
    public let code: String
    public let text: String?

    /// Whether the code says that Portmone refused the operation. After any other error, known or not, the operation may still be
    /// carried out.
    public var isRefusal: Bool { ["1", "5"].contains { code.isExactly($0) } }

    public var description: String { "error \(code.beginning(40))" }
}
