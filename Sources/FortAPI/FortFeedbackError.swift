public import Primitives

/// Why a feedback message is not believed.
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

    /// Whether the message could be read, and does not come from FORT as far as anyone can tell (HTTP's 401). The others
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
