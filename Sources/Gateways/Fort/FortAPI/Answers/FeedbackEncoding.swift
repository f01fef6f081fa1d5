public import PayrelayPrimitives

extension FortFeedback.Format {
    /// The name of the format in settings.
    public var name: String {
        switch self {
        case .form: "form"
        case .json: "json"
        }
    }

    /// The `Content-Type` of a body in this format.
    public var contentType: String {
        switch self {
        case .form: "application/x-www-form-urlencoded"
        case .json: "application/json"
        }
    }

    /// Encodes a message as FORT would send it, for the sandbox and tests. A form leaves out values that are not
    /// strings, numbers or booleans.
    public func encoded(_ message: JSONObject) -> [UInt8] {
        switch self {
        case .form: URLEncodedForm.encoded(message)
        case .json: JSON.object(message).encoded()
        }
    }
}
