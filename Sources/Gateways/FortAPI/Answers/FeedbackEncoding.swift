public import PayrelayPrimitives

extension FortFeedback.Format {
    /// As settings name it.
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

    /// A message as FORT would send it, for the sandbox and tests. In a form, what is no string, number or boolean is
    /// left out.
    public func encoded(_ message: JSONObject) -> [UInt8] {
        switch self {
        case .form: URLEncodedForm.encoded(message)
        case .json: JSON.object(message).encoded()
        }
    }
}
