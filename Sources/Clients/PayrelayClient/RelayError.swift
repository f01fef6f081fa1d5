public import Foundation
public import PayrelayAPI
public import PayrelayPrimitives

/// Why a payment or a look-up has no result. ``mayHaveBeenCharged`` says whether the customer may be asked to pay
/// again under another merchant reference. Paying again under the same reference is always safe, because the
/// relay charges a reference once.
///
/// The descriptions never contain a token, a key or data of the customer.
///
/// ```swift
/// do {
///     show(try await client.pay(order, with: token))
/// } catch {
///     error.mayHaveBeenCharged ? lookAgainLater(order.merchantReference) : offerToPayAgain(because: error)
/// }
/// ```
public enum RelayError: Error, Sendable, Equatable {
    /// Fields of the order are missing or invalid. Each of them is named. Nothing was charged.
    case invalidFields([ValidationError])
    /// The order differs from the fields that its order token pins. Each of those fields is named. Nothing was
    /// charged.
    case orderNotAllowed([ValidationError])
    /// The relay rejected the Apple Pay token. Nothing was charged. `check` is the name of the failed check in
    /// openapi.yaml, such as `freshness`.
    case tokenRefused(check: String?, detail: String)
    /// The token is from the iOS Simulator, which has no card. Nothing was charged. Only `payrelay-dev` accepts
    /// such a token.
    case simulatorToken
    /// The Apple Pay token was already used for another order. This order was not charged, but the other may have
    /// been. Look up its payment first.
    case tokenUsed
    /// The merchant reference was already used by a payment that failed, or that has another amount, currency or
    /// command. If that payment succeeded or is open, ``mayHaveBeenCharged`` is true. Otherwise another attempt
    /// needs a new reference. If the earlier payment has the same amount and succeeded or is open, this error is
    /// not thrown: the earlier payment is returned as the result.
    ///
    /// The document is `nil` if the relay does not show the payment, because it is external (made with FORT's own
    /// SDK, for example) or belongs to another client. It may be this customer's payment, so
    /// ``mayHaveBeenCharged`` is true. Your backend can look it up with its own key.
    case referenceTaken(by: PaymentDocument?)
    /// The order token is missing, invalid or expired. Nothing was charged.
    case notAuthenticated(detail: String)
    /// The order token does not permit this. Nothing was charged.
    case notPermitted(detail: String)
    /// The relay had no such payment for this client until the time limit passed. A request that is still under
    /// way may arrive later, so pay again only under the same reference.
    case noSuchPayment
    /// The payment could not be looked up, for this reason. It may exist, and the customer may have been charged.
    indirect case unreadable(RelayError)
    /// The relay refused the request for another reason. This request charged nothing.
    /// ``ProblemKind/mayHaveCharged`` says whether another request may have.
    case refused(ProblemDocument)
    /// Nothing reached FORT within the time limit. The same order and token may be sent again, after this many
    /// seconds if the relay named a time.
    case nothingWasSent(retryAfter: Double?)
    /// There was no response within the time limit, and the request may have arrived. The customer may have been
    /// charged: query with ``RelayClient/outcome(of:within:)``.
    case noAnswer
    /// The task was cancelled. If `mayHaveBeenSent` is true, the customer may have been charged, and the payment
    /// can be looked up.
    case cancelled(mayHaveBeenSent: Bool)
    /// The app's function did not return an order token. Nothing was sent.
    case orderTokenUnavailable(OrderTokenFailure)
    /// The server's certificate is not trusted. Nothing was sent. (Linux cannot distinguish this from other
    /// connection failures, and throws ``noAnswer`` instead.)
    case insecureConnection(detail: String)
    /// The relay's URL or the merchant reference cannot be used. Nothing was sent.
    case invalidConfiguration(String)

    /// Whether the customer may have been charged. If so, do not offer a payment under another merchant reference
    /// before the outcome is known.
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
    /// The error that the app's function threw, or the reason why its result was not used.
    public let cause: any Error

    /// Creates a failure with this cause.
    public init(_ cause: any Error) {
        self.cause = cause
    }

    /// Compares the descriptions of the causes, because the app's errors need not be comparable.
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
        case .simulatorToken: "the token is the iOS Simulator's: only payrelay-dev accepts it"
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

    /// Creates the error for a problem of the relay.
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
    /// The text for the customer, in the device's language. `localizedDescription` may therefore be shown.
    /// ``CustomerTexts`` has other languages, and lets you replace the text. `description` is for logs.
    public var errorDescription: String? { CustomerTexts.ofTheDevice.text(for: .failure(self)) }
}

extension RelayError {
    /// The error that a look-up throws in place of this one. It does not prove that the payment does not exist.
    var ofALookUp: RelayError {
        switch self {
        case .noAnswer, .noSuchPayment, .unreadable: self
        case .cancelled: .cancelled(mayHaveBeenSent: true)
        default: .unreadable(self)
        }
    }
}
