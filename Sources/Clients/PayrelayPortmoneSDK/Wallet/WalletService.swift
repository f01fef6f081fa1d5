/// The wallet behind the SDK's calls. The library's own implementation is ``SandboxWallet``; an app's tests may
/// use another.
///
/// Every method throws a ``PortmoneError``. The error is 2101 if there is no response; the call may have been
/// carried out then.
public protocol WalletService: Sendable {
    /// Authorizes a user. If the result has a ``WalletAuthorization/verification``, only ``validate(_:in:)`` may
    /// be called next.
    func authorize(_ user: WalletUser) async throws(PortmoneError) -> WalletAuthorization

    /// Validates a one-time code.
    ///
    /// - Returns: the next code that is required; `nil` if no further code is.
    func validate(_ code: SecretText, in session: WalletSession) async throws(PortmoneError) -> CodeVerification?

    /// Returns the wallet's cards.
    func cards(in session: WalletSession) async throws(PortmoneError) -> [MasterpassCard]

    /// Adds a card.
    ///
    /// - Returns: the code that is required before the card is added; `nil` if the card was added.
    func add(_ card: NewCard, in session: WalletSession) async throws(PortmoneError) -> CodeVerification?

    /// Deletes a card. If it is the last card, the wallet is deleted, too.
    func deleteCard(named name: String, in session: WalletSession) async throws(PortmoneError)

    /// Returns the companies that can be paid.
    func payees(in session: WalletSession) async throws(PortmoneError) -> [Payee]

    /// Creates a payment that is not carried out yet, and returns its commission.
    func quote(_ payment: ProposedPayment, in session: WalletSession) async throws(PortmoneError) -> PaymentQuote

    /// Carries out a payment. A repeated call with the same parameters gives the same response and charges
    /// nothing.
    func pay(
        _ payment: PaymentID, _ params: PaymentParams, in session: WalletSession
    ) async throws(PortmoneError) -> PaymentProgress

    /// Verifies a card by its security code, and has another code sent to the phone (2D).
    func startVerification(
        of payment: PaymentID, cvv: SecretText, in session: WalletSession
    ) async throws(PortmoneError)

    /// Finishes a 2D verification with the code that was sent, and so the payment.
    func finishVerification(
        of payment: PaymentID, code: SecretText, in session: WalletSession
    ) async throws(PortmoneError) -> Bill

    /// Returns the bill of a payment after its ``VerificationPage`` (3D). Throws 2110 if the payment was not
    /// confirmed.
    func outcomeOfPage(of payment: PaymentID, in session: WalletSession) async throws(PortmoneError) -> Bill
}
