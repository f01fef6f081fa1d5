public import PayrelayPrimitives

/// An unsolicited, unsigned message from Portmone to the merchant's server.
public struct PortmoneNotification: Hashable, Sendable {
    /// How the body is written; the payee's settings at Portmone decide.
    public enum Format: Hashable, Sendable, CaseIterable {
        /// An object with `shopOrderNumber` and `shopBillId`: these two are all that Portmone's own plugin reads.
        case json
        /// A form whose field `data` has the XML of ``BillsDocument``.
        case form

        /// The format that an HTTP `Content-Type` names; nil for any other.
        public init?(contentType: String) {
            switch contentType.cut(at: ";").before.trimmedOfSpaces.lowercasedASCII {
            case "application/json": self = .json
            case "application/x-www-form-urlencoded": self = .form
            default: return nil
            }
        }
    }

    /// In bytes. A form of the largest XML, escaped.
    public static let sizeLimit = 3 * PlainXML.sizeLimit
    private static let depthLimit = 4

    public let format: Format
    /// Those about numbers that this service's orders can have. Portmone's own plugin acknowledges the others as well.
    public let notices: [PortmoneNotice]

    /// - Parameter body: as it arrived.
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

    /// Returns the acknowledgement that Portmone expects. Send it once it is certain that Portmone is asked about the
    /// bills.
    ///
    /// - Parameter unixTime: seconds since 1970, the `responseId` of the JSON form.
    public func acknowledgement(unixTime: Int) -> (contentType: String, body: [UInt8]) {
        switch format {
        case .json:
            let body: JSON = ["errorCode": "0", "reason": "OK", "responseId": .string(String(unixTime))]
            return ("application/json", body.encoded())
        case .form: return ("text/plain; charset=utf-8", Array("OK".utf8))
        }
    }
}

/// Why a notification is ignored.
public enum PortmoneNotificationError: Error, Equatable, Sendable, CustomStringConvertible {
    case tooLarge
    case notJSON(JSONError)
    case notAnObject
    /// A member that counts is malformed, or stands there twice.
    case ambiguous(PortmoneAnswerError)
    case notAForm
    case notXML(PlainXMLError)
    /// It is XML, and no list of bills.
    case notBills
    /// This is missing, or cannot be what it is called.
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
