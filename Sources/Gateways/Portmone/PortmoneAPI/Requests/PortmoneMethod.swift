/// A method of Portmone's gateway that this service calls.
public enum PortmoneMethod: String, Sendable, CaseIterable {
    /// Charges an Apple Pay token, or holds the money. Only third-party clients show this method.
    case aPay = "APay"
    /// Queries bills. Portmone's plugin calls it.
    case result
    /// Captures money that is held. Portmone's plugins call it.
    case confirmPreauth
    /// Releases money that is held. Portmone's plugin calls it.
    case rejectPreauth
    /// Gives money back. Portmone's plugin calls it.
    case `return`
    /// Closes an unpaid bill. Only third-party clients show this method.
    case closeInvoice
}
