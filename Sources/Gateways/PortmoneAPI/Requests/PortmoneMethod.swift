/// A method of Portmone's gateway that this service calls.
public enum PortmoneMethod: String, Sendable, CaseIterable {
    /// Charges an Apple Pay token, or holds the money. Third-party clients alone show it.
    case aPay = "APay"
    /// Asks about bills. Portmone's own plugin calls it.
    case result
    /// Takes money that is held. Portmone's own plugins call it.
    case confirmPreauth
    /// Lets go of money that is held. Portmone's own plugin calls it.
    case rejectPreauth
    /// Gives money back. Portmone's own plugin calls it.
    case `return`
    /// Ends an unpaid bill. Third-party clients alone show it.
    case closeInvoice
}
