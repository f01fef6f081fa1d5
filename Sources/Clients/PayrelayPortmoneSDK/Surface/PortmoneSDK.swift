import PayrelayPrimitives

/// Initializes the SDK for a merchant. Every other call requires it, and otherwise fails with the error 2016.
///
/// This SDK is the client of a simulator. It has the interface of Portmone's "Masterpass iOS SDK". The protocol
/// of Portmone's own SDK is not public, and this SDK sends nothing to Portmone.
///
/// ```swift
/// PortmoneSDK(merchantKey: "merchant-key", clientId: "client-id")
/// AuthorizationService().authorize(phone: "380501234567", userId: "user-1") { isAuthorized, error in
///     isAuthorized ? showCards() : show(error)
/// }
/// ```
@MainActor
public final class PortmoneSDK {
    /// Uses the sandbox on this machine, at its default port: ``SandboxWallet/defaultURL``.
    ///
    /// - Parameters:
    ///   - merchantKey: the merchant's unique key.
    ///   - clientId: the client's identifier in the Masterpass system.
    @discardableResult
    public convenience init(merchantKey: String, clientId: String) {
        self.init(merchantKey: merchantKey, clientId: clientId, wallet: SandboxWallet())
    }

    /// Uses another wallet: a sandbox at another port, or the app's own wallet for its tests.
    @discardableResult
    public init(merchantKey: String, clientId: String, wallet: any WalletService) {
        SDKState.shared.initialize(merchantKey: merchantKey, clientId: clientId, wallet: wallet)
    }
}

/// The state that all services of the SDK share until the application ends.
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
    /// The number of the last authorization or initialization. A response to an earlier one is dropped.
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

    /// Returns the current wallet and authorization.
    func authorized() throws(PortmoneError) -> AuthorizedWallet {
        guard let initialization else { throw .notInitialized }
        guard let session else { throw .notAuthorized }
        return AuthorizedWallet(wallet: initialization.wallet, session: session)
    }

    /// Authorizes a user until another is authorized. If two calls are under way, the later one counts.
    ///
    /// - Returns: the remaining work. Invalid arguments throw immediately.
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

    /// Validates the one-time code that is required, from the card's bank or from the phone.
    ///
    /// - Parameter code: the code. It is wiped.
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
