/// FORT's enumeration of its environments, with FORT's spelling. Here it selects the kind of relay.
#if canImport(ObjectiveC)
@objc
#endif
public enum KPayFortEnviroment: Int, Sendable {
    /// `payrelay-dev`, or a relay that is connected to FORT's sandbox: `https`, or plain `http` to a loopback
    /// address.
    case sandBox
    /// A production relay, with `https` only.
    case production
}

/// The name that FORT's Objective-C header has in Swift.
public let KPayFortEnviromentSandBox = KPayFortEnviroment.sandBox
/// The name that FORT's Objective-C header has in Swift.
public let KPayFortEnviromentProduction = KPayFortEnviroment.production
