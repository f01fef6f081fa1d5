public import Foundation
public import PayrelayAPI
public import PayrelayPrimitives

/// Why a payment or a look-up has no result. ``mayHaveBeenCharged`` tells whether the customer may be asked to pay again under
/// another merchant reference. Under the same reference it is always safe: the relay charges a reference once.
///
/// No description holds a token, a key or anything of the customer's.
///
/// ```swift
/// do {
///     show(try await client.pay(order, with: token))
/// } catch {
///     error.mayHaveBeenCharged ? lookAgainLater(order.merchantReference) : offerToPayAgain(because: error)
/// }
/// ```
public enum RelayError: Error, Sendable, Equatable {
    /// Fields of the order are missing or out of their limits; each is named. Nothing was charged.
    case invalidFields([ValidationError])
    /// The order differs from what its order token pins; each field is named. Nothing was charged.
    case orderNotAllowed([ValidationError])
    /// The relay refused the Apple Pay token. Nothing was charged. `check` is the check that failed, by openapi.yaml's name, such as `freshness`.
    case tokenRefused(check: String?, detail: String)
    /// The token is the iOS Simulator's: it holds no card, and nothing was charged. `payrelay-dev` takes it, no other relay does.
    case simulatorToken
    /// The Apple Pay token already pays another order. This one was not charged, the other may be: read its payment first.
    case tokenUsed
    /// The merchant reference was used before. The earlier payment failed, or it has another amount, currency or command; if
    /// that one succeeded or is open, ``mayHaveBeenCharged`` is true. Otherwise another try needs a new reference. An earlier
    /// payment of the same amount that succeeded or is open is told as this one's result.
    ///
    /// Nil where the relay does not show the payment: it was made elsewhere, by FORT's own SDK for example, or it is another
    /// client's. It may be this customer's, so ``mayHaveBeenCharged`` is true: your backend finds out, with its own key.
    case referenceTaken(by: PaymentDocument?)
    /// The order token is missing, wrong or expired. Nothing was charged.
    case notAuthenticated(detail: String)
    /// The order token does not permit this. Nothing was charged.
    case notPermitted(detail: String)
    /// The relay knew no such payment, or none of this client's, for as long as it was asked. A request that is still on its
    /// way may arrive later, so pay again under the same reference only.
    case noSuchPayment
    /// The payment could not be looked up, for this reason. It may exist, and the customer may have been charged.
    indirect case unreadable(RelayError)
    /// The relay refused the request for another reason. Nothing was charged by it; ``ProblemKind/mayHaveCharged`` tells of another.
    case refused(ProblemDocument)
    /// Nothing reached FORT within the time limit. The same order and token may be tried again after this many seconds,
    /// where the relay named them.
    case nothingWasSent(retryAfter: Double?)
    /// No answer came within the time limit, and the request may have arrived. The customer may be charged: ask with
    /// ``RelayClient/outcome(of:within:)``.
    case noAnswer
    /// The task was cancelled. Where `mayHaveBeenSent`, the customer may be charged: the payment can be asked about.
    case cancelled(mayHaveBeenSent: Bool)
    /// The app's own function gave no order token. Nothing was sent.
    case orderTokenUnavailable(OrderTokenFailure)
    /// The server's certificate is not trusted. Nothing was sent. (Linux does not tell it from other failures of a
    /// connection: there it is ``noAnswer``.)
    case insecureConnection(detail: String)
    /// The relay's URL or the merchant reference cannot be used. Nothing was sent.
    case invalidConfiguration(String)

    /// Whether the customer may have been charged: then no payment under another merchant reference may be offered before
    /// the outcome is known.
    public var mayHaveBeenCharged: Bool {
        switch self {
        case .noAnswer, .noSuchPayment, .tokenUsed, .unreadable: true
        case .refused(let problem): problem.kind?.mayHaveCharged ?? false
        case .cancelled(let mayHaveBeenSent): mayHaveBeenSent
        case .referenceTaken(let earlier): earlier.map { !PaymentResult($0).isUncharged } ?? true
        default: false
        }
    }
}

/// Why there is no order token.
public struct OrderTokenFailure: Error, Sendable, Equatable {
    /// What the app's function threw, or that it gave none in time, or no token.
    public let cause: any Error

    /// A failure with this cause.
    public init(_ cause: any Error) {
        self.cause = cause
    }

    /// Compared by their descriptions: errors of an app need not be comparable.
    public static func == (one: OrderTokenFailure, other: OrderTokenFailure) -> Bool {
        "\(one.cause)" == "\(other.cause)"
    }
}

extension RelayError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .invalidFields(let errors): "invalid fields: \(Self.names(errors))"
        case .orderNotAllowed(let errors): "the order token does not allow: \(Self.names(errors))"
        case .tokenRefused(let check, let detail): "Apple Pay token refused (\(check ?? "unreadable")): \(detail)"
        case .simulatorToken: "the token is the iOS Simulator's: only payrelay-dev takes it"
        case .tokenUsed: "the Apple Pay token already pays another order"
        case .referenceTaken(let earlier?): "the merchant reference was used before (\(earlier.outcome.rawValue))"
        case .referenceTaken(by: nil):
            """
            the merchant reference was used before, by a payment that an order token does not show: made elsewhere, \
            or another client's
            """
        case .notAuthenticated(let detail): "not authenticated: \(detail)"
        case .notPermitted(let detail): "not permitted: \(detail)"
        case .noSuchPayment: "the relay knows no such payment yet"
        case .unreadable(let error): "the payment could not be looked up: \(error)"
        case .refused(let problem): "refused (\(problem.status) \(problem.name)): \(problem.detail)"
        case .nothingWasSent: "nothing was sent; the same payment may be tried again"
        case .noAnswer: "no answer; the payment may have been made"
        case .cancelled(let mayHaveBeenSent):
            mayHaveBeenSent ? "cancelled; the payment may have been made" : "cancelled; nothing was sent"
        case .orderTokenUnavailable: "the app's backend gave no order token"
        case .insecureConnection(let detail): "no secure connection: \(detail)"
        case .invalidConfiguration(let detail): detail
        }
    }

    private static func names(_ errors: [ValidationError]) -> String {
        errors.map(\.description).joined(separator: "; ")
    }

    /// Maps the relay's problem to an error.
    init(_ problem: ProblemDocument) {
        self =
            switch problem.kind {
            case .invalidFields: .invalidFields(problem.errors)
            case .otherOrder: .orderNotAllowed(problem.errors)
            case .tokenRefused: .tokenRefused(check: problem.check, detail: problem.detail)
            case .simulatorToken: .simulatorToken
            case .tokenUsed: .tokenUsed
            case .referenceTaken: .referenceTaken(by: nil)
            case .notAuthenticated: .notAuthenticated(detail: problem.detail)
            case .notPermitted: .notPermitted(detail: problem.detail)
            case .noSuchPayment: .noSuchPayment
            default: .refused(problem)
            }
    }
}

extension RelayError: LocalizedError {
    /// The customer's text, in the device's language: `localizedDescription` may be shown. ``CustomerTexts`` has it in another, and
    /// replaces it. The description is for logs.
    public var errorDescription: String? { CustomerTexts.ofTheDevice.text(for: .failure(self)) }
}

extension RelayError {
    /// The same error after a look-up, where it does not prove that there is no payment.
    var ofALookUp: RelayError {
        switch self {
        case .noAnswer, .noSuchPayment, .unreadable: self
        case .cancelled: .cancelled(mayHaveBeenSent: true)
        default: .unreadable(self)
        }
    }
}
