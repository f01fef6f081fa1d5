public import PayrelayPrimitives

/// Transaction feedback: a message of FORT to the merchant's Direct or Notification Feedback URL (mobile SDK guide, section 6.8).
///
/// Both kinds look the same. Direct ones follow each processed transaction, notifications each change of status. They may
/// come twice, late and in any order. The only initializer verifies the signature, with the phrase of the account that has the
/// message's `access_code`: no other parameter chooses the phrase. The signature covers all parameters, unknown ones
/// included.
///
/// Feedback proves nothing. ``CanonicalText`` has no separator between the pairs, so one signed text can be read as other names and other
/// values, and clients have such texts. The signature over all that arrived, and the account, are a filter before FORT is queried. Names
/// are not: APS adds parameters, and a message that is refused for one of them is lost.
public struct FortFeedback: Hashable, Sendable, Redacted {
    /// How the body is written. FORT's settings offer both; forms are what older accounts get.
    public enum Format: Hashable, Sendable, CaseIterable {
        case form
        case json

        /// The format that an HTTP `Content-Type` names; nil for any other.
        public init?(contentType: String) {
            switch contentType.cut(at: ";").before.trimmedOfSpaces.lowercasedASCII {
            case "application/x-www-form-urlencoded": self = .form
            case "application/json": self = .json
            default: return nil
            }
        }
    }

    /// In bytes. With every documented field at its limit and escaped, a form takes less than half.
    public static let sizeLimit = 65_536
    /// At the top level.
    public static let parameterLimit = 200
    private static let depthLimit = 4

    /// The merchant's name of the account that signed it; see ``FortAccounts``.
    public let account: String
    /// Everything as it arrived, the signature included. It holds customer data.
    public let parameters: JSONObject
    public let merchantReference: String
    public let responseCode: FortCode

    /// - Parameter body: as it arrived.
    /// - Throws: ``FortFeedbackError``.
    public init(verifying body: [UInt8], as format: Format, of accounts: FortAccounts) throws(FortFeedbackError) {
        let parameters = try FortFeedback.read(body, as: format)
        guard let signature = parameters[FortSignature.parameterName]?.stringValue else { throw .unsigned }
        guard let accessCode = parameters["access_code"]?.scalarText,
            let entry = accounts.entry(identifiedBy: accessCode)
        else { throw .unknownAccount }
        let account = entry.account
        let expected = FortSignature(of: parameters, phrase: account.responsePhrase, type: account.signatureType)
        guard expected.matches(signature) else { throw .wrongSignature }
        // Where it is present it is the account's: null, or a list, is another one.
        if let merchantIdentifier = parameters["merchant_identifier"] {
            guard merchantIdentifier.scalarText == account.merchantIdentifier else { throw .unknownAccount }
        }
        guard let reference = parameters["merchant_reference"]?.scalarText, !reference.isEmpty else {
            throw .incomplete(parameter: "merchant_reference")
        }
        guard let code = parameters["response_code"]?.scalarText.flatMap(FortCode.init) else {
            throw .incomplete(parameter: "response_code")
        }
        self.account = entry.name
        self.parameters = parameters
        merchantReference = reference
        responseCode = code
    }

    public var description: String { "feedback \(responseCode)" }

    private static func read(_ body: [UInt8], as format: Format) throws(FortFeedbackError) -> JSONObject {
        guard body.count <= sizeLimit else { throw .tooLarge(limit: sizeLimit) }
        switch format {
        case .form:
            do throws(URLEncodedFormError) {
                return try URLEncodedForm(parsing: body, parameterLimit: parameterLimit).parameters
            } catch {
                throw .notAForm(error)
            }
        case .json:
            let json: JSON
            do throws(JSONError) {
                json = try JSON(parsing: body, depthLimit: depthLimit)
            } catch {
                throw .notJSON(error)
            }
            guard let object = json.objectValue else { throw .notAnObject }
            guard object.members.count <= parameterLimit else { throw .tooManyParameters(limit: parameterLimit) }
            return object
        }
    }
}

extension FortFeedback {
    /// A parameter as text, whether FORT wrote a string, a number or a boolean; nil where it is absent, null, empty or
    /// nested.
    public subscript(name: String) -> String? {
        guard let text = parameters[name]?.scalarText, !text.isEmpty else { return nil }
        return text
    }

    /// Command that FORT carried out; nil if it is none of the relay's commands.
    public var command: FortCommand? {
        FortCommand.allCases.first { self[$0.parameterName] == $0.rawValue }
    }

    /// The names of the parameters that FORT does not document, for the log: bounded, ASCII, and without the end of another parameter's
    /// value. `nil` if all are FORT's.
    public var unknownNames: String? { FortParameterName.unknown(among: parameters.members.map(\.name)) }

    /// FORT's own number of the order.
    public var fortID: String? { self["fort_id"] }

    /// Class of the message for its command. Success is the command's own ``FortCommand/successCode`` and no other. The
    /// class is uncertain if `status` contradicts the first digits of the code.
    public var `class`: FortCode.Class { responseCode.class(answering: command, status: self["status"]) }
}

/// Why a feedback message is ignored.
public enum FortFeedbackError: Error, Equatable, Sendable, CustomStringConvertible {
    case tooLarge(limit: Int)
    case tooManyParameters(limit: Int)
    case notAForm(URLEncodedFormError)
    case notJSON(JSONError)
    case notAnObject
    case unsigned
    /// Its `access_code`, or the `merchant_identifier` beside it, is of no account here.
    case unknownAccount
    /// The account's response phrase or SHA type is wrong, or the message is forged.
    case wrongSignature
    /// Signed, but without this parameter.
    case incomplete(parameter: String)

    /// Whether the message was read and is not authenticated as FORT's (HTTP's 401). The others
    /// are malformed.
    public var isForgery: Bool {
        switch self {
        case .unsigned, .unknownAccount, .wrongSignature: true
        case .tooLarge, .tooManyParameters, .notAForm, .notJSON, .notAnObject, .incomplete: false
        }
    }

    public var description: String {
        switch self {
        case .tooLarge(let limit): "it has more than \(limit) bytes"
        case .tooManyParameters(let limit): "it has more than \(limit) parameters"
        case .notAForm(let error): "it is not a form: \(error)"
        case .notJSON(let error): "it is not JSON: \(error)"
        case .notAnObject: "it is JSON, but not an object"
        case .unsigned: "it has no signature"
        case .unknownAccount: "it names no account that is configured here"
        case .wrongSignature: "its signature is not that of the account's response phrase"
        case .incomplete(let parameter): "it has no \(parameter)"
        }
    }
}
