public import PayrelayPrimitives

/// A payee that the sandbox knows, with the values that the payee's merchant must send.
public struct PortmoneSandboxAccount: Sendable {
    /// Portmone's `payeeId`.
    public let payeeId: String
    public let login: String
    public let password: Secret
    /// The key for the signature of `createLinkPayment`; `nil` if the payee has none. Such a request is then
    /// rejected.
    public let signingKey: Secret?
    /// The Apple merchant identifier, which `aPayMerchantName` must equal.
    public let appleMerchantIdentifier: String
    /// The currencies that the payee accepts.
    public let currencies: Set<Currency>

    public init(
        payeeId: String, login: String, password: Secret, signingKey: Secret? = nil, appleMerchantIdentifier: String,
        currencies: Set<Currency>
    ) {
        self.payeeId = payeeId
        self.login = login
        self.password = password
        self.signingKey = signingKey
        self.appleMerchantIdentifier = appleMerchantIdentifier
        self.currencies = currencies
    }
}
