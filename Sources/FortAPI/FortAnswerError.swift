public import Primitives

/// Why what came back proves nothing. The order's fate is then unknown, whatever the answer claims.
public enum FortAnswerError: Error, Equatable, Sendable, CustomStringConvertible {
    /// FORT answers 200, refusals included; anything else did not come from where payments are processed.
    case httpStatus(Int)
    case notJSON(JSONError)
    case notAnObject
    case unsigned
    /// The account's response phrase or SHA type is wrong, or the answer is forged.
    case wrongSignature
    /// Signed, but for another request: this parameter differs from what was sent, or is missing.
    case foreign(parameter: String)
    /// Signed, but without a `response_code` of five digits.
    case noResponseCode

    public var description: String {
        switch self {
        case .httpStatus(let status): "the HTTP status is \(status)"
        case .notJSON(let error): "it is not JSON: \(error)"
        case .notAnObject: "it is JSON, but not an object"
        case .unsigned: "it has no signature"
        case .wrongSignature: "its signature is not that of the response phrase"
        case .foreign(let parameter): "its \(parameter) is not that of the request"
        case .noResponseCode: "it has no response_code of five digits"
        }
    }
}
