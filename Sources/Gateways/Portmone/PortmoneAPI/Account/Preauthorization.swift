/// The charges of an account that hold the money instead of taking it.
///
/// No public source says how a request to `APay` asks for a hold. `createLinkPayment` has the member
/// `preauthFlag`, and this service sends `APay` with a member of the same name. Not tested against a live
/// Portmone.
public enum Preauthorization: String, Sendable, CaseIterable {
    /// No charge: an order with the command AUTHORIZATION is rejected.
    case never
    /// Charges with the command AUTHORIZATION, which are sent with `preauthFlag` "Y".
    case onRequest = "on_request"
    /// Every charge, because Portmone has set up the payee so: an order with the command PURCHASE is rejected.
    case always
}
