/// Which of an account's charges hold the money and do not take it.
///
/// No public source says how `APay` asks for that. `createLinkPayment` has `preauthFlag`, and here `APay` has it under the same name.
/// Not tried with a live Portmone.
public enum Preauthorization: String, Sendable, CaseIterable {
    /// None: an order with the command AUTHORIZATION is refused.
    case never
    /// Those of the command AUTHORIZATION, which are sent with `preauthFlag` "Y".
    case onRequest = "on_request"
    /// All, because Portmone is set up so for the payee: an order with the command PURCHASE is refused.
    case always
}
