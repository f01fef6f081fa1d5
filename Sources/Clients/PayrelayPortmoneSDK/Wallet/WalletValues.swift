public import PayrelayPrimitives

/// The user whose wallet is used.
public struct WalletUser: Sendable, Redacted {
    /// The key of the merchant.
    public let merchantKey: Secret
    /// The identifier of the client in the Masterpass system.
    public let clientId: String
    /// The phone number: `380` and nine digits.
    public let phone: String
    /// The user's identifier in Portmone's system.
    public let userId: String

    public var description: String { "WalletUser" }
}

/// The wallet session of an authorized user. Its token authenticates the following calls.
public struct WalletSession: Sendable, Equatable, Redacted {
    let token: Secret

    /// Creates a session with this token.
    public init(token: String) {
        self.token = Secret(token)
    }

    public var description: String { "***" }
}

/// An authorization, which may not be complete yet.
public struct WalletAuthorization: Sendable {
    /// The session of the user.
    public let session: WalletSession
    /// The code that is required first; `nil` if none is.
    public let verification: CodeVerification?

    /// Creates an authorization with these parts.
    public init(session: WalletSession, verification: CodeVerification? = nil) {
        self.session = session
        self.verification = verification
    }
}

/// The one-time code that is required.
public enum CodeVerification: Sendable, Hashable {
    /// A code from the card's bank: error 2113.
    case card
    /// A code from Masterpass, sent to the phone: error 2114.
    case phone

    var error: PortmoneError { self == .card ? .bankCodeRequired : .phoneCodeRequired }
}

/// The wallet's identifier of a payment.
public struct PaymentID: Sendable, Hashable {
    let text: String

    /// Creates an identifier.
    public init(_ text: String) {
        self.text = text
    }
}

/// A payment whose commission is requested.
public struct ProposedPayment: Sendable {
    /// The recipient: a company, or a phone number whose account is topped up.
    public enum Recipient: Sendable, Hashable {
        /// The ``Payee/payeeId`` of a company.
        case payee(String)
        /// The phone number: `380` and nine digits.
        case phone(String)
    }

    /// The recipient of the payment.
    public let recipient: Recipient
    /// A card of the wallet.
    public let card: MasterpassCard
    /// The amount in kopecks.
    public let amount: MinorUnits
    /// The login for paying this company.
    public let merchantLogin: String
    /// The app's own number of the payment.
    public let billNumber: String
}

/// The commission of a payment.
public struct PaymentQuote: Sendable {
    /// The wallet's identifier of the payment.
    public let payment: PaymentID
    /// The identifier of the company that is paid.
    public let payeeId: String
    /// The commission in kopecks, in addition to the amount.
    public let commission: MinorUnits

    /// Creates a quote with these parts.
    public init(payment: PaymentID, payeeId: String, commission: MinorUnits) {
        self.payment = payment
        self.payeeId = payeeId
        self.commission = commission
    }
}

/// The state of a payment after a call to pay.
public enum PaymentProgress: Sendable {
    /// The payment is paid.
    case paid(Bill)
    /// The card must be verified by its security code and by a code that is sent to the phone (2D).
    case verificationBy2d
    /// The customer must confirm the payment on a page (3D).
    case verificationBy3d(VerificationPage)
}
