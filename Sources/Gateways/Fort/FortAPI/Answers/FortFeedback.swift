public import PayrelayPrimitives

/// Transaction feedback: a message from FORT to the merchant's Direct or Notification Feedback URL (mobile SDK
/// guide, section 6.8).
///
/// FORT sends direct feedback after each processed transaction, and a notification after each change of status.
/// Both look the same. They may arrive twice, late and in any order.
///
/// The only initializer verifies the signature. Only the message's `access_code` decides which account's phrase
/// is used. The signature covers all parameters, including unknown ones.
///
/// Even verified feedback proves nothing. ``CanonicalText`` has no separator between the pairs, so one signed
/// text can be read as other names and other values, and clients know such texts. The signature and the account
/// are only a filter before FORT is queried. Unknown names are not a filter: APS adds parameters, and a message
/// that is rejected for one of them is lost.
public struct FortFeedback: Hashable, Sendable, Redacted {
    /// The format of the body. FORT's settings offer both formats; older accounts use forms.
    public enum Format: Hashable, Sendable, CaseIterable {
        case form
        case json

        /// The format that an HTTP `Content-Type` names; `nil` if it names another format.
        public init?(contentType: String) {
            switch contentType.cut(at: ";").before.trimmedOfSpaces.lowercasedASCII {
            case "application/x-www-form-urlencoded": self = .form
            case "application/json": self = .json
            default: return nil
            }
        }
    }

    /// The maximum size of a body in bytes. A form with every documented field at its limit and escaped takes
    /// less than half of it.
    public static let sizeLimit = 65_536
    /// The maximum number of parameters at the top level.
    public static let parameterLimit = 200
    private static let depthLimit = 4

    /// The merchant's name of the account that signed the message; see ``FortAccounts``.
    public let account: String
    /// All parameters as they arrived, including the signature. They contain customer data.
    public let parameters: JSONObject
    public let merchantReference: String
    public let responseCode: FortCode

    /// Verifies a feedback message.
    ///
    /// - Parameter body: the body as it arrived.
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
        // If the parameter is present, it must be the account's identifier. Null or a list counts as another
        // identifier.
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
    /// A parameter as text, whether FORT wrote a string, a number or a boolean; `nil` if it is absent, null,
    /// empty or nested.
    public subscript(name: String) -> String? {
        guard let text = parameters[name]?.scalarText, !text.isEmpty else { return nil }
        return text
    }

    /// The command that FORT carried out; `nil` if the relay has no such command.
    public var command: FortCommand? {
        FortCommand.allCases.first { self[$0.parameterName] == $0.rawValue }
    }

    /// The names of the parameters that FORT does not document, for the log. The text is bounded and ASCII, and
    /// contains no name that may end another parameter's value. `nil` if FORT documents all names.
    public var unknownNames: String? { FortParameterName.unknown(among: parameters.members.map(\.name)) }

    /// FORT's number of the order.
    public var fortID: String? { self["fort_id"] }

    /// The class of the message for its command. Only the command's ``FortCommand/successCode`` is a success. The
    /// class is `uncertain` if `status` contradicts the first digits of the code.
    public var `class`: FortCode.Class { responseCode.class(answering: command, status: self["status"]) }
}

/// The reason why a feedback message is rejected.
public enum FortFeedbackError: Error, Equatable, Sendable, CustomStringConvertible {
    case tooLarge(limit: Int)
    case tooManyParameters(limit: Int)
    case notAForm(URLEncodedFormError)
    case notJSON(JSONError)
    case notAnObject
    case unsigned
    /// No configured account has the message's `access_code`, or the account has another `merchant_identifier`.
    case unknownAccount
    /// The account's response phrase or SHA type is wrong, or the message is forged.
    case wrongSignature
    /// The message is signed, but lacks this parameter.
    case incomplete(parameter: String)

    /// Whether the message could be parsed, but is not proven to be FORT's (HTTP status 401). The other errors
    /// are about malformed messages.
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
