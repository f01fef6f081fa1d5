import PayrelayPrimitives

/// A method of the gateway that the sandbox has.
public enum GatewayMethod: String, Sendable, CaseIterable {
    case aPay = "APay"
    case result
    case confirmPreauth
    case rejectPreauth
    case `return`
    case closeInvoice
    case createLinkPayment
}

/// The two paths of the gateway. They write their answers differently.
public enum GatewayPath: String, Sendable, CaseIterable {
    /// Answers `{"result": …, "id": "…"}`.
    case r3 = "/r3/api/gateway/"
    /// Answers what `result` would have.
    case gateway = "/gateway/"

    /// Whether published clients send a method here.
    func has(_ method: GatewayMethod) -> Bool {
        switch method {
        case .aPay: self == .r3
        case .createLinkPayment: self == .gateway
        case .result, .confirmPreauth, .rejectPreauth, .return, .closeInvoice: true
        }
    }

    /// Whether a path is this one. Published clients send to the first with a slash at its end and without.
    func isPath(_ path: String?) -> Bool {
        guard let path else { return false }
        return path.isExactly(rawValue) || self == .r3 && "\(path)/".isExactly(rawValue)
    }
}
