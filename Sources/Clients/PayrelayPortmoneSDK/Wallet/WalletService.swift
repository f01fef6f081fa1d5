/// The wallet behind the SDK's calls. ``SandboxWallet`` is the library's own; an app's tests may have another.
///
/// Every method throws a ``PortmoneError``: 2101 if there is no answer, and the call may have been carried out.
public protocol WalletService: Sendable {
    /// Authorizes a user. With a ``WalletAuthorization/verification`` nothing but ``validate(_:in:)`` is allowed yet.
    func authorize(_ user: WalletUser) async throws(PortmoneError) -> WalletAuthorization

    /// - Returns: the next code that is needed; nil where all are there.
    func validate(_ code: SecretText, in session: WalletSession) async throws(PortmoneError) -> CodeVerification?

    /// The wallet's cards.
    func cards(in session: WalletSession) async throws(PortmoneError) -> [MasterpassCard]

    /// - Returns: the code that is needed before the card is added; nil where it is.
    func add(_ card: NewCard, in session: WalletSession) async throws(PortmoneError) -> CodeVerification?

    /// Deletes a card, and with the last one the wallet.
    func deleteCard(named name: String, in session: WalletSession) async throws(PortmoneError)

    /// The companies that can be paid.
    func payees(in session: WalletSession) async throws(PortmoneError) -> [Payee]

    /// Makes a payment that is not yet carried out, with its commission.
    func quote(_ payment: ProposedPayment, in session: WalletSession) async throws(PortmoneError) -> PaymentQuote

    /// Carries a payment out. A repeated call with the same parameters gives the same answer and charges nothing.
    func pay(
        _ payment: PaymentID, _ params: PaymentParams, in session: WalletSession
    ) async throws(PortmoneError) -> PaymentProgress

    /// Verifies a card by its code, and has a code sent to the phone (2D).
    func startVerification(
        of payment: PaymentID, cvv: SecretText, in session: WalletSession
    ) async throws(PortmoneError)

    /// Ends a 2D verification with the code that was sent, and with it the payment.
    func finishVerification(
        of payment: PaymentID, code: SecretText, in session: WalletSession
    ) async throws(PortmoneError) -> Bill

    /// Returns the bill of a payment after its ``VerificationPage`` (3D); throws 2110 if it was not confirmed.
    func outcomeOfPage(of payment: PaymentID, in session: WalletSession) async throws(PortmoneError) -> Bill
}
