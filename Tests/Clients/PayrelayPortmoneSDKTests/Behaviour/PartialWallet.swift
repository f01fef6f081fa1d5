@testable import PayrelayPortmoneSDK

/// A wallet in memory that implements only the calls that its test needs.
protocol PartialWallet: WalletService {}

extension PartialWallet {
    func cards(in session: WalletSession) async throws(PortmoneError) -> [MasterpassCard] { throw .internal }
    func validate(_ code: SecretText, in session: WalletSession) async throws(PortmoneError) -> CodeVerification? {
        nil
    }
    func add(_ card: NewCard, in session: WalletSession) async throws(PortmoneError) -> CodeVerification? {
        throw .internal
    }
    func deleteCard(named name: String, in session: WalletSession) async throws(PortmoneError) { throw .internal }
    func payees(in session: WalletSession) async throws(PortmoneError) -> [Payee] { throw .internal }
    func quote(
        _ payment: ProposedPayment, in session: WalletSession
    ) async throws(PortmoneError) -> PaymentQuote { throw .internal }
    func pay(
        _ payment: PaymentID, _ params: PaymentParams, in session: WalletSession
    ) async throws(PortmoneError) -> PaymentProgress { throw .internal }
    func startVerification(
        of payment: PaymentID, cvv: SecretText, in session: WalletSession
    ) async throws(PortmoneError) { throw .internal }
    func finishVerification(
        of payment: PaymentID, code: SecretText, in session: WalletSession
    ) async throws(PortmoneError) -> Bill { throw .internal }
    func outcomeOfPage(
        of payment: PaymentID, in session: WalletSession
    ) async throws(PortmoneError) -> Bill { throw .internal }
}
