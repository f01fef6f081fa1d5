public import PayrelayPrimitives

/// A payee that the sandbox knows, with what its merchant has to send.
public struct PortmoneSandboxAccount: Sendable {
    /// Portmone's `payeeId`.
    public let payeeId: String
    public let login: String
    public let password: Secret
    /// The key of the signature of `createLinkPayment`; nil where the payee has none, and such a request is refused.
    public let signingKey: Secret?
    /// Apple's name of the merchant, which `aPayMerchantName` must be.
    public let appleMerchantIdentifier: String
    /// Currencies that the payee accepts.
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
