import PayrelayPrimitives

/// Initializes the SDK for a merchant. Every other call needs it; without it they fail with 2016.
///
/// This SDK is the client of a simulator. It has the call surface of Portmone's "Masterpass iOS SDK"; what Portmone's own SDK sends
/// is not public, and nothing of it is sent to Portmone.
///
/// ```swift
/// PortmoneSDK(merchantKey: "merchant-key", clientId: "client-id")
/// AuthorizationService().authorize(phone: "380501234567", userId: "user-1") { isAuthorized, error in
///     isAuthorized ? showCards() : show(error)
/// }
/// ```
@MainActor
public final class PortmoneSDK {
    /// Works with the sandbox on this machine, at its default port: ``SandboxWallet/defaultURL``.
    ///
    /// - Parameters:
    ///   - merchantKey: a unique key of the merchant.
    ///   - clientId: the identifier of the client in the Masterpass system.
    @discardableResult
    public convenience init(merchantKey: String, clientId: String) {
        self.init(merchantKey: merchantKey, clientId: clientId, wallet: SandboxWallet())
    }

    /// Works with another wallet: a sandbox at another port, or an app's own for its tests.
    @discardableResult
    public init(merchantKey: String, clientId: String, wallet: any WalletService) {
        SDKState.shared.initialize(merchantKey: merchantKey, clientId: clientId, wallet: wallet)
    }
}

/// State that all services of the SDK share, for the life of the application.
@MainActor
final class SDKState {
    static let shared = SDKState()

    private struct Initialization {
        let merchantKey: Secret
        let clientId: String
        let wallet: any WalletService
    }

    private var initialization: Initialization?
    private var session: WalletSession?
    /// Number of the last authorization or initialization. An answer to an earlier one is dropped.
    private var authorization = 0

    nonisolated init() {}

    /// Sets the merchant and the wallet, and drops the session of an authorized user.
    func initialize(merchantKey: String, clientId: String, wallet: any WalletService) {
        let isComplete = !merchantKey.isEmpty && !clientId.isEmpty
        initialization =
            isComplete ? Initialization(merchantKey: Secret(merchantKey), clientId: clientId, wallet: wallet) : nil
        session = nil
        authorization += 1
    }

    /// The wallet and the authorization of this moment.
    func authorized() throws(PortmoneError) -> AuthorizedWallet {
        guard let initialization else { throw .notInitialized }
        guard let session else { throw .notAuthorized }
        return AuthorizedWallet(wallet: initialization.wallet, session: session)
    }

    /// Authorizes a user until another is authorized. Of two calls under way, the later one counts.
    ///
    /// - Returns: the work that is left; what is wrong with the arguments is thrown at once.
    func authorization(
        phone: String, userId: String
    ) throws(PortmoneError) -> @MainActor () async throws(PortmoneError) -> Void {
        guard let initialization else { throw .notInitialized }
        let phone = try PhoneNumber(phone)
        guard !userId.isEmpty else { throw .userIdEmpty }
        let user = WalletUser(
            merchantKey: initialization.merchantKey, clientId: initialization.clientId, phone: phone.text,
            userId: userId)
        authorization += 1
        let own = authorization
        return { [self] () throws(PortmoneError) in
            let authorized = try await initialization.wallet.authorize(user)
            guard own == authorization else {
                throw .notAuthorized.with("another authorization or initialization came later")
            }
            session = authorized.session
            if let verification = authorized.verification { throw verification.error }
        }
    }

    /// Validates the one-time code that is due, of the card or of the phone.
    ///
    /// - Parameter code: is wiped.
    func validate(_ code: SecretText, then completion: @escaping OperationCompletion) {
        let authorized = Result { () throws(PortmoneError) in
            let authorized = try self.authorized()
            guard !code.isEmpty else { throw .validationCodeEmpty }
            guard code.isDigits(1...10) else { throw .validationCodeInvalid }
            return authorized
        }
        deliver { () throws(PortmoneError) in
            defer { code.wipe() }
            let authorized = try authorized.get()
            if let verification = try await authorized.wallet.validate(code, in: authorized.session) {
                throw verification.error
            }
        } to: {
            completion($0.error == nil, $0.error)
        }
    }
}

/// A wallet, and the session of the user who is authorized in it.
struct AuthorizedWallet: Sendable {
    let wallet: any WalletService
    let session: WalletSession
}
