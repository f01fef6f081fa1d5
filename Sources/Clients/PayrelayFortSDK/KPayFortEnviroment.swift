/// FORT's switch between its environments, with FORT's spelling. Here it says which relay is meant.
#if canImport(ObjectiveC)
@objc
#endif
public enum KPayFortEnviroment: Int, Sendable {
    /// `payrelay-dev`, or a relay at FORT's sandbox: `https`, or plain `http` to a loopback address.
    case sandBox
    /// `https` alone.
    case production
}

/// As FORT's Objective-C header names it in Swift.
public let KPayFortEnviromentSandBox = KPayFortEnviroment.sandBox
/// As FORT's Objective-C header names it in Swift.
public let KPayFortEnviromentProduction = KPayFortEnviroment.production
