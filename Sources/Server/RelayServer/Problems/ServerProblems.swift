import AccessControl
import HTTPTypes
import PaymentRelay
import PayrelayAPI
public import PayrelayPrimitives

/// The problems of the server itself. The status and the title of each kind are in ``ProblemKind``.
extension Problem {
    public static func notJSON(_ detail: String) -> Problem {
        Problem(.notJSON, detail)
    }

    public static func invalidFields(_ errors: [ValidationError]) -> Problem { naming(errors, .invalidFields) }

    static func otherOrder(_ errors: [ValidationError]) -> Problem { naming(errors, .otherOrder) }

    /// Names the invalid fields, but at most a hundred, so that the response is not many times as long as the
    /// request.
    private static func naming(_ errors: [ValidationError], _ kind: ProblemKind) -> Problem {
        let named = Array(errors.prefix(100))
        let names = named.map(\.field).joined(separator: ", ")
        let rest = errors.count > named.count ? " There are \(errors.count - named.count) more." : ""
        return Problem(kind, "See errors for each of: \(names).\(rest)", errors: named)
    }

    static func notAuthenticated(_ reason: String, challenge: String) -> Problem {
        Problem(
            .notAuthenticated, "Send Authorization: Bearer with a valid key or token: \(reason).", challenge: challenge)
    }

    static let keysUnavailable = Problem(
        .tokenKeysUnavailable, "The JWT keys cannot be fetched. Nothing was done. Retry the same request.",
        retryAfterSeconds: 10)

    static func scopeMissing(_ scope: Scope) -> Problem {
        Problem(
            .notPermitted, "The scope \(scope.rawValue) is required.",
            challenge: Problem.bearer + #", error="insufficient_scope", scope="\#(scope.rawValue)""#)
    }

    /// The operator's role does not permit the request.
    static func roleMissing(_ role: OperatorRole) -> Problem {
        Problem(.notPermitted, "The role \(role.rawValue) is required.", challenge: bearer)
    }

    static let notForOrderTokens = Problem(
        .notPermitted,
        "An order token can pay its order, read it and, with that scope, open Apple Pay sessions. Every other route is refused."
    )

    static let notFound = Problem(.notFound, "This path does not exist.")

    static let noSuchPayment = Problem(.noSuchPayment, "No payment with this merchant_reference is known.")

    static func methodNotAllowed(_ allowed: [String]) -> Problem {
        let allow = allowed.joined(separator: ", ")
        return Problem(.methodNotAllowed, "It accepts \(allow).", allow: allow)
    }

    static let unknownMethod = Problem(.unknownMethod, "It is not a method that this service knows.")

    static let crossSite = Problem(
        .crossSite, "Sec-Fetch-Site must be same-origin or none; without it, Origin must be absent or match Host.")

    static let foreignHost = Problem(
        .foreignHost, "Ask it by its address, by a loopback name, or by one that PAYRELAY_HTTP_HOSTS lists.")

    static func bodyTooLarge(limit: Int) -> Problem {
        Problem(.bodyTooLarge, "At most \(limit) bytes are read.")
    }

    static let incompleteBody = Problem(
        .incompleteBody, "The connection ended, or its framing was broken, before the whole body had come.")

    static let headersTooLarge = Problem(.headersTooLarge, "It has more bytes or more fields than are read.")

    static let malformedRequest = Problem(
        .malformedRequest, "It departs from RFC 9112, or could be read in more than one way. The connection is closed.")

    static let requestTooSlow = Problem(
        .requestTooSlow, "The connection is closed, because the whole body had not come in time.")

    static let tooManyInFlight = Problem(.tooBusy, "Nothing was done. Retry the same request.", retryAfterSeconds: 1)

    static func tooManyRequests(retryAfterSeconds: Int) -> Problem {
        Problem(.tooManyRequests, "Nothing was done. Retry the same request.", retryAfterSeconds: retryAfterSeconds)
    }

    static let notJSONMediaType = Problem(.unsupportedMediaType, "Send Content-Type: application/json.")

    static let contentEncoded = Problem(.unsupportedContentEncoding, "Send it without Content-Encoding.")

    static let unexpected = Problem(.internal, "The log has the cause under this X-Request-Id.")

    static func simulatorToken(_ detail: String) -> Problem {
        Problem(.simulatorToken, detail)
    }

    static func tokenRefused(check: String, detail: String) -> Problem {
        Problem(.tokenRefused, "\(check): \(detail)", check: check)
    }

    static let verificationOff = Problem(.verificationOff, "Token verification is turned off in the configuration.")

    /// Returns the problem for a reference that was used before.
    ///
    /// - Parameter differing: the members that differ from the earlier request with this reference; `nil` if they
    ///   cannot be named.
    static func referenceTaken(differing: [String]?) -> Problem {
        let use =
            switch differing {
            case nil: "with another request body, by another client, or for a payment made outside payrelay"
            case []?:
                "with another request body, in another member than \(Payment.comparedMembers.joined(separator: ", "))"
            case let names?:
                "with another request body: \(names.joined(separator: ", ")) \(names.count == 1 ? "differs" : "differ")"
            }
        return Problem(.referenceTaken, "This merchant_reference was used \(use). Use a new one for a new order.")
    }

    static let recordUnreadable = Problem(
        .recordUnreadable,
        "Nothing was done. An operator has to look at the journal: the log has the cause under this X-Request-Id.")

    static let idempotencyKeyTaken = Problem(
        .idempotencyKeyTaken, "This Idempotency-Key was used for another payment, or for a capture, a void or a refund."
    )

    static let inFlight = Problem(
        .inFlight, "The same request has no response yet. Retry it after Retry-After, or read the payment.",
        retryAfterSeconds: 1)

    static let tokenTaken = Problem(.tokenUsed, "This Apple Pay token already pays another merchant_reference.")

    static func notAllowed(_ reason: String) -> Problem {
        Problem(.notAllowed, "\(reason).")
    }

    static let operationInFlight = Problem(
        .inFlight,
        "Another operation on this payment has no outcome yet. Read the payment, or retry after Retry-After.",
        retryAfterSeconds: 1)

    static let operationKeyTaken = Problem(
        .operationTaken,
        "This maintenance_reference was used for another operation on this payment, or this Idempotency-Key for another request."
    )

    public static func notSent(_ reason: String) -> Problem {
        Problem(.gatewayUnreachable, "\(reason). \(chargedNothing)", retryAfterSeconds: 1)
    }

    static func accountUnverified(_ reason: String) -> Problem {
        Problem(.accountUnverified, "\(reason). \(chargedNothing)", retryAfterSeconds: 5)
    }

    static func journalUnavailable(_ reason: String) -> Problem {
        Problem(.journalUnavailable, "\(reason). \(chargedNothing)", retryAfterSeconds: 1)
    }

    /// Applies to this request only: an earlier request for the same payment may have charged it.
    private static let chargedNothing = "This request charged nothing. Retry the same request."

    /// The same problem for a phone or a web page. It leaves out the network errors of the gateway, of Apple and
    /// of the journal, which may contain host names, ports and messages of libraries. They are in the log.
    var forPhones: Problem {
        let detail: String
        switch kind {
        case .gatewayUnreachable, .accountUnverified, .journalUnavailable: detail = Self.chargedNothing
        case .appleUnreachable: detail = "The same request may be tried again."
        case .appleRefused: detail = "Apple gave no merchant session."
        default: return self
        }
        return Problem(kind, detail, retryAfterSeconds: retryAfterSeconds)
    }

    static func notConfigured(_ detail: String) -> Problem {
        Problem(.notConfigured, detail)
    }
}
