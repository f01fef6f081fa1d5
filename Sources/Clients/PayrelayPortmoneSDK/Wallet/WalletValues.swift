public import PayrelayPrimitives

/// For whom a wallet is asked.
public struct WalletUser: Sendable, Redacted {
    /// Of the merchant.
    public let merchantKey: Secret
    /// Of the client in the Masterpass system.
    public let clientId: String
    /// `380` and nine digits.
    public let phone: String
    /// The user's identifier in the system of Portmone.
    public let userId: String

    public var description: String { "WalletUser" }
}

/// A wallet's session of an authorized user. Its token authenticates the calls that follow.
public struct WalletSession: Sendable, Equatable, Redacted {
    let token: Secret

    /// A session with this token.
    public init(token: String) {
        self.token = Secret(token)
    }

    public var description: String { "***" }
}

/// An authorization, perhaps not yet complete.
public struct WalletAuthorization: Sendable {
    /// Of the user.
    public let session: WalletSession
    /// Which code is needed first.
    public let verification: CodeVerification?

    /// An authorization of these parts.
    public init(session: WalletSession, verification: CodeVerification? = nil) {
        self.session = session
        self.verification = verification
    }
}

/// Which one-time code is needed.
public enum CodeVerification: Sendable, Hashable {
    /// Of the card's bank: 2113.
    case card
    /// Of Masterpass, sent to the phone: 2114.
    case phone

    var error: PortmoneError { self == .card ? .bankCodeRequired : .phoneCodeRequired }
}

/// A wallet's name for a payment.
public struct PaymentID: Sendable, Hashable {
    let text: String

    /// A payment's identifier.
    public init(_ text: String) {
        self.text = text
    }
}

/// A payment whose commission is asked for.
public struct ProposedPayment: Sendable {
    /// A company, or the phone number whose account is topped up.
    public enum Recipient: Sendable, Hashable {
        /// The ``Payee/payeeId`` of a company.
        case payee(String)
        /// `380` and nine digits.
        case phone(String)
    }

    /// Who is paid.
    public let recipient: Recipient
    /// One of the wallet's.
    public let card: MasterpassCard
    /// In kopecks.
    public let amount: MinorUnits
    /// The login to pay this company.
    public let merchantLogin: String
    /// The app's own number of the payment.
    public let billNumber: String
}

/// A payment's commission.
public struct PaymentQuote: Sendable {
    /// The wallet's name for the payment.
    public let payment: PaymentID
    /// The company that is paid.
    public let payeeId: String
    /// In kopecks, beside the amount.
    public let commission: MinorUnits

    /// A quote of these parts.
    public init(payment: PaymentID, payeeId: String, commission: MinorUnits) {
        self.payment = payment
        self.payeeId = payeeId
        self.commission = commission
    }
}

/// The state of a payment after a call to pay.
public enum PaymentProgress: Sendable {
    /// It is paid.
    case paid(Bill)
    /// The card is to be verified by its code and one sent to the phone (2D).
    case verificationBy2d
    /// The customer is to confirm it on a page (3D).
    case verificationBy3d(VerificationPage)
}
