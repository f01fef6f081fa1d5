import PayrelayPrimitives

/// A method of the gateway that the sandbox supports.
public enum GatewayMethod: String, Sendable, CaseIterable {
    case aPay = "APay"
    case result
    case confirmPreauth
    case rejectPreauth
    case `return`
    case closeInvoice
    case createLinkPayment
}

/// The two paths of the gateway, whose answers have different formats.
public enum GatewayPath: String, Sendable, CaseIterable {
    /// The path whose answers are `{"result": …, "id": "…"}`.
    case r3 = "/r3/api/gateway/"
    /// The path whose answers are only the content of `result`.
    case gateway = "/gateway/"

    /// Returns whether published clients send a method to this path.
    func has(_ method: GatewayMethod) -> Bool {
        switch method {
        case .aPay: self == .r3
        case .createLinkPayment: self == .gateway
        case .result, .confirmPreauth, .rejectPreauth, .return, .closeInvoice: true
        }
    }

    /// Returns whether a path is this one. Published clients send to the first path with and without a slash at
    /// its end.
    func isPath(_ path: String?) -> Bool {
        guard let path else { return false }
        return path.isExactly(rawValue) || self == .r3 && "\(path)/".isExactly(rawValue)
    }
}
