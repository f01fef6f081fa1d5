import AccessControl
import ApplePaySession
import ApplePayToken
public import HTTPListener
import HTTPTypes
import Logging
import PaymentRelay
import PayrelayAPI
import PayrelayPrimitives

/// The only place where typed errors are mapped to HTTP.
extension Problem {
    /// Creates the problem for a payment that is refused.
    init(_ refusal: PaymentRefusal) {
        self =
            switch refusal {
            case .tokenRefused(let verification):
                if let check = verification.firstFailure {
                    .tokenRefused(check: check.name.rawValue, detail: check.detail)
                } else {
                    .unexpected
                }
            case .inFlight: .inFlight
            case .referenceTaken(let differing): .referenceTaken(differing: differing)
            case .recordUnreadable: .recordUnreadable
            case .tokenTaken: .tokenTaken
            case .idempotencyKeyTaken: .idempotencyKeyTaken
            case .notSent(let reason): .notSent(reason)
            case .accountUnverified(let reason): .accountUnverified(reason)
            case .journalUnavailable(let reason): .journalUnavailable(reason)
            }
    }

    /// Creates the problem for a capture, void or refund that is refused.
    init(_ refusal: OperationRefusal) {
        self =
            switch refusal {
            case .noSuchPayment: .noSuchPayment
            case .recordUnreadable: .recordUnreadable
            case .notAllowed(let reason): .notAllowed(reason)
            // These two apply only to operators' requests, which clients cannot send.
            case .notPermitted: .notAllowed("the operator's role does not permit it")
            case .changedSince: .notAllowed("the payment has changed since the request was decided on")
            case .otherCurrency(let currency):
                .invalidFields([ValidationError(field: "currency", detail: "must be the payment's, \(currency)")])
            case .inFlight: .operationInFlight
            case .idempotencyKeyTaken: .operationKeyTaken
            case .invalid(let errors): .invalidFields(errors.errors)
            case .notSent(let reason): .notSent(reason)
            case .accountUnverified(let reason): .accountUnverified(reason)
            case .journalUnavailable(let reason): .journalUnavailable(reason)
            }
    }

    /// Creates the problem for a resolution by hand that is refused.
    init(_ refusal: ResolutionRefusal) {
        func invalid(_ field: String, _ detail: String) -> Problem {
            .invalidFields([ValidationError(field: field, detail: detail)])
        }
        self =
            switch refusal {
            case .noSuchPayment: .noSuchPayment
            case .notPermitted, .changedSince, .notOpen, .tooEarly: .notAllowed(refusal.description)
            case .requestUnderWay: .operationInFlight
            case .notPossible(_, let possible):
                invalid("as", "must be one of \(possible.map(\.rawValue).joined(separator: ", ")) for this payment")
            case .amountsDiffer: invalid("confirm_amount", "must be the same as amount")
            case .noAmount: invalid("amount", "must be more than zero")
            case .otherAmount(let expected): invalid("amount", "must be \(expected) in minor units")
            case .tooLargeAmount(let limit): invalid("amount", "must be at most \(limit), in minor units")
            case .journal: .journalUnavailable("the resolution may not be recorded")
            }
    }

    /// Creates the problem for a client that could not be authenticated.
    init(_ error: AuthenticationError) {
        self =
            switch error {
            case .missing: .notAuthenticated("\(error)", challenge: Self.bearer)
            // RFC 6750, 3.1: if a credential was sent, the challenge names the error in it.
            case .notBearer: .notAuthenticated("\(error)", challenge: Self.bearer + #", error="invalid_request""#)
            case .token(.keysUnavailable): .keysUnavailable
            case .unknownKey, .token:
                .notAuthenticated("\(error)", challenge: Self.bearer + #", error="invalid_token""#)
            }
    }

    static let bearer = #"Bearer realm="payrelay""#

    /// Creates the problem for a request from a foreign web page.
    init(_ error: CrossSiteError) {
        self =
            switch error {
            case .foreignHost: .foreignHost
            case .crossSite: .crossSite
            }
    }

    /// Creates the problem for an Apple Pay session that Apple did not issue.
    init(_ failure: SessionFailure) {
        switch failure {
        case .notSent, .unknown:
            self.init(.appleUnreachable, "\(failure). The same request may be tried again.", retryAfterSeconds: 1)
        case .refused, .notASession:
            self.init(.appleRefused, "\(failure).")
        }
    }

    /// Creates the problem for a request that the listener itself rejects.
    init(_ rejection: ListenerRejection) {
        self =
            switch rejection {
            case .bodyTooLarge(let limit): .bodyTooLarge(limit: limit)
            case .headersTooLarge: .headersTooLarge
            case .malformedRequest: .malformedRequest
            case .requestTooSlow: .requestTooSlow
            case .tooManyInFlight: .tooManyInFlight
            case .unknownMethod: .unknownMethod
            }
    }

    /// Returns the listener's response to a request that reaches no route.
    public static func answer(to rejection: ListenerRejection) -> Answer {
        var answer = Problem(rejection).answer
        answer.head.headerFields.addCommon()
        return answer
    }

    /// Creates the problem for an error that ended a request. An error that is neither a ``Problem`` nor a
    /// ``JournalError`` is a bug: its text is logged and not sent to the client.
    init(_ error: any Error, logger: Logger) {
        switch error {
        case let problem as Problem: self = problem
        case JournalError.unreadable: self = .recordUnreadable
        case JournalError.overloaded: self = .tooManyInFlight
        // A failed read, or a failed write of a query's result. Other writes have their own refusals.
        case let error as JournalError:
            logger.error("journal not read", metadata: ["error": "\(error)"])
            self = .journalUnavailable("the journal could not be read or written")
        default:
            logger.error("unexpected", metadata: ["error": "\(error)"])
            self = .unexpected
        }
    }
}
