public import PayrelayPrimitives

/// A message that Portmone sends to the merchant's server on its own initiative. It is not signed.
public struct PortmoneNotification: Hashable, Sendable {
    /// The format of the body. The payee's settings at Portmone decide which one is used.
    public enum Format: Hashable, Sendable, CaseIterable {
        /// A JSON object with `shopOrderNumber` and `shopBillId`. Portmone's plugin reads only these two members.
        case json
        /// A form whose field `data` contains the XML of ``BillsDocument``.
        case form

        /// The format that an HTTP `Content-Type` names; `nil` if it names another format.
        public init?(contentType: String) {
            switch contentType.cut(at: ";").before.trimmedOfSpaces.lowercasedASCII {
            case "application/json": self = .json
            case "application/x-www-form-urlencoded": self = .form
            default: return nil
            }
        }
    }

    /// The maximum size of a body in bytes: a form with the largest XML document, fully escaped.
    public static let sizeLimit = 3 * PlainXML.sizeLimit
    private static let depthLimit = 4

    public let format: Format
    /// The notices whose order number this service's orders can have. The other notices are left out, and the
    /// notification is acknowledged nevertheless, as Portmone's plugin does.
    public let notices: [PortmoneNotice]

    /// Parses a notification.
    ///
    /// - Parameter body: the body as it arrived.
    /// - Throws: ``PortmoneNotificationError``.
    public init(reading body: [UInt8], as format: Format) throws(PortmoneNotificationError) {
        guard body.count <= Self.sizeLimit else { throw .tooLarge }
        self.format = format
        switch format {
        case .json: notices = try Self.notice(in: body).map { [$0] } ?? []
        case .form:
            guard let xml = try NotificationForm.field("data", of: body) else { throw .incomplete("data") }
            notices = try BillsDocument.notices(in: xml)
        }
    }

    private static func notice(in body: [UInt8]) throws(PortmoneNotificationError) -> PortmoneNotice? {
        let json: JSON
        do throws(JSONError) {
            json = try JSON(parsing: body, depthLimit: depthLimit)
        } catch {
            throw .notJSON(error)
        }
        guard let object = json.objectValue else { throw .notAnObject }
        let entry: PortmoneEntry
        do throws(PortmoneAnswerError) {
            entry = try PortmoneEntry(object)
        } catch {
            throw .ambiguous(error)
        }
        return try PortmoneNotice(
            shopOrderNumber: entry[.shopOrderNumber], shopBillID: entry[.shopBillID], status: entry.status,
            payeeID: entry[.payeeID], amountText: entry[.billAmount])
    }

    /// Returns the acknowledgement that Portmone expects. Send it only when the queries about the bills are sure
    /// to follow.
    ///
    /// - Parameter unixTime: seconds since 1970; the `responseId` of the JSON format.
    public func acknowledgement(unixTime: Int) -> (contentType: String, body: [UInt8]) {
        switch format {
        case .json:
            let body: JSON = ["errorCode": "0", "reason": "OK", "responseId": .string(String(unixTime))]
            return ("application/json", body.encoded())
        case .form: return ("text/plain; charset=utf-8", Array("OK".utf8))
        }
    }
}

/// The reason why a notification is rejected.
public enum PortmoneNotificationError: Error, Equatable, Sendable, CustomStringConvertible {
    case tooLarge
    case notJSON(JSONError)
    case notAnObject
    /// An evaluated member is malformed, or occurs twice with different values.
    case ambiguous(PortmoneAnswerError)
    case notAForm
    case notXML(PlainXMLError)
    /// The data is XML, but not a list of bills.
    case notBills
    /// The named member is missing, or its value is not valid.
    case incomplete(String)

    public var description: String {
        switch self {
        case .tooLarge: "it is too large"
        case .notJSON(let error): "it is not JSON: \(error)"
        case .notAnObject: "it is JSON, but not an object"
        case .ambiguous(let error): "\(error)"
        case .notAForm: "it is not a form, or has data twice"
        case .notXML(let error): "its data is not the XML of bills: \(error)"
        case .notBills: "its data is XML, and no list of bills"
        case .incomplete(let name): "it has no \(name), or one that cannot be one"
        }
    }
}
