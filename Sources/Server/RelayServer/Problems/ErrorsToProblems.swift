import AccessControl
import ApplePaySession
import ApplePayToken
public import HTTPListener
import HTTPTypes
import Logging
import PaymentRelay
import PayrelayAPI
import PayrelayPrimitives

/// The one place where typed errors become HTTP.
extension Problem {
    /// A payment that is refused.
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

    /// A capture, void or refund that is refused.
    init(_ refusal: OperationRefusal) {
        self =
            switch refusal {
            case .noSuchPayment: .noSuchPayment
            case .recordUnreadable: .recordUnreadable
            case .notAllowed(let reason): .notAllowed(reason)
            // Of operators' requests, which no client can make.
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

    /// A payment that is not settled by hand.
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

    /// A client that does not authenticate.
    init(_ error: AuthenticationError) {
        self =
            switch error {
            case .missing: .notAuthenticated("\(error)", challenge: Self.bearer)
            // RFC 6750, 3.1: what was sent is wrong, and which error that is.
            case .notBearer: .notAuthenticated("\(error)", challenge: Self.bearer + #", error="invalid_request""#)
            case .token(.keysUnavailable): .keysUnavailable
            case .unknownKey, .token:
                .notAuthenticated("\(error)", challenge: Self.bearer + #", error="invalid_token""#)
            }
    }

    static let bearer = #"Bearer realm="payrelay""#

    /// A request of a foreign web page.
    init(_ error: CrossSiteError) {
        self =
            switch error {
            case .foreignHost: .foreignHost
            case .crossSite: .crossSite
            }
    }

    /// An Apple Pay session that Apple did not give.
    init(_ failure: SessionFailure) {
        switch failure {
        case .notSent, .unknown:
            self.init(.appleUnreachable, "\(failure). The same request may be tried again.", retryAfterSeconds: 1)
        case .refused, .notASession:
            self.init(.appleRefused, "\(failure).")
        }
    }

    /// A request that the listener answers itself.
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

    /// Returns the listener's answer to a request that reaches no route.
    public static func answer(to rejection: ListenerRejection) -> Answer {
        var answer = Problem(rejection).answer
        answer.head.headerFields.addCommon()
        return answer
    }

    /// An error that ended a request. One that is neither a ``Problem`` nor of the journal is a bug: its text goes to the log, not to the
    /// client.
    init(_ error: any Error, logger: Logger) {
        switch error {
        case let problem as Problem: self = problem
        case JournalError.unreadable: self = .recordUnreadable
        case JournalError.overloaded: self = .tooManyInFlight
        // Of a read, or of a question's answer: what else writes has its refusals.
        case let error as JournalError:
            logger.error("journal not read", metadata: ["error": "\(error)"])
            self = .journalUnavailable("the journal could not be read or written")
        default:
            logger.error("unexpected", metadata: ["error": "\(error)"])
            self = .unexpected
        }
    }
}
