import AccessControl
import HTTPTypes
import PayrelayAPI
public import PayrelayPrimitives

/// Every kind of problem that the server itself answers with.
extension Problem {
    public static func notJSON(_ detail: String) -> Problem {
        Problem(kind: .notJSON, status: .badRequest, title: "Invalid JSON", detail: detail)
    }

    /// Names every wrong field, at most a hundred, so that the response is not a multiple of the request.
    public static func invalidFields(_ errors: [ValidationError]) -> Problem {
        let named = Array(errors.prefix(100))
        let names = named.map(\.field).joined(separator: ", ")
        let rest = errors.count > named.count ? " There are \(errors.count - named.count) more." : ""
        return Problem(
            kind: .invalidFields, status: .badRequest, title: "Invalid fields",
            detail: "See errors for each of: \(names).\(rest)", errors: named)
    }

    static func notAuthenticated(_ reason: String, challenge: String) -> Problem {
        Problem(
            kind: .notAuthenticated, status: .unauthorized, title: "Authentication required",
            detail: "Send Authorization: Bearer with a valid key or token: \(reason).", challenge: challenge)
    }

    static let keysUnavailable = Problem(
        kind: .tokenKeysUnavailable, status: .serviceUnavailable, title: "JWT keys unavailable",
        detail: "The JWT keys cannot be fetched. Nothing was done. Retry the same request.",
        retryAfterSeconds: 10)

    static func scopeMissing(_ scope: Scope) -> Problem {
        Problem(
            kind: .notPermitted, status: .forbidden, title: "Permission denied",
            detail: "The scope \(scope.rawValue) is required.",
            challenge: Problem.bearer + #", error="insufficient_scope", scope="\#(scope.rawValue)""#)
    }

    static let notForOrderTokens = Problem(
        kind: .notPermitted, status: .forbidden, title: "Permission denied",
        detail:
            "An order token can pay its order, read it and, with that scope, open Apple Pay sessions. Every other route is refused."
    )

    /// Names every wrong member, at most a hundred.
    static func otherOrder(_ errors: [ValidationError]) -> Problem {
        let named = Array(errors.prefix(100))
        let rest = errors.count > named.count ? " There are \(errors.count - named.count) more." : ""
        return Problem(
            kind: .otherOrder, status: .forbidden, title: "Order token does not allow this order",
            detail: "See errors for each of: \(named.map(\.field).joined(separator: ", ")).\(rest)", errors: named)
    }

    static let notFound = Problem(
        kind: .notFound, status: .notFound, title: "Not found", detail: "This path does not exist.")

    static let noSuchPayment = Problem(
        kind: .noSuchPayment, status: .notFound, title: "Payment not found",
        detail: "No payment with this merchant_reference is known.")

    static func methodNotAllowed(_ allowed: [String]) -> Problem {
        let allow = allowed.joined(separator: ", ")
        return Problem(
            kind: .methodNotAllowed, status: .methodNotAllowed, title: "Method not allowed",
            detail: "It takes \(allow).", allow: allow)
    }

    static let unknownMethod = Problem(
        kind: .unknownMethod, status: .notImplemented, title: "Method not implemented",
        detail: "It is not a method that this service knows.")

    static let crossSite = Problem(
        kind: .crossSite, status: .forbidden, title: "Cross-site request refused",
        detail: "Sec-Fetch-Site must be same-origin or none; without it, Origin must be absent or match Host.")

    static let foreignHost = Problem(
        kind: .foreignHost, status: .misdirectedRequest, title: "Host not allowed",
        detail: "Ask it by its address, by a loopback name, or by one that PAYRELAY_HTTP_HOSTS lists.")

    static func bodyTooLarge(limit: Int) -> Problem {
        Problem(
            kind: .bodyTooLarge, status: .contentTooLarge, title: "Request body too large",
            detail: "At most \(limit) bytes are read.")
    }

    static let incompleteBody = Problem(
        kind: .incompleteBody, status: .badRequest, title: "Incomplete request body",
        detail: "The connection ended, or its framing was broken, before the whole body had come.")

    static let headersTooLarge = Problem(
        kind: .headersTooLarge, status: .requestHeaderFieldsTooLarge, title: "Request header too large",
        detail: "It has more bytes or more fields than are read.")

    static let malformedRequest = Problem(
        kind: .malformedRequest, status: .badRequest, title: "Malformed HTTP request",
        detail: "It departs from RFC 9112, or could be read in more than one way. The connection is closed.")

    static let requestTooSlow = Problem(
        kind: .requestTooSlow, status: .requestTimeout, title: "Request timeout",
        detail: "The connection is closed, because the whole body had not come in time.")

    static let tooManyInFlight = Problem(
        kind: .tooBusy, status: .serviceUnavailable, title: "Too many concurrent requests",
        detail: "Nothing was done. Retry the same request.", retryAfterSeconds: 1)

    static func tooManyRequests(retryAfterSeconds: Int) -> Problem {
        Problem(
            kind: .tooManyRequests, status: .tooManyRequests, title: "Rate limit exceeded",
            detail: "Nothing was done. Retry the same request.", retryAfterSeconds: retryAfterSeconds)
    }

    static let notJSONMediaType = Problem(
        kind: .unsupportedMediaType, status: .unsupportedMediaType, title: "Unsupported media type",
        detail: "Send Content-Type: application/json.")

    static let contentEncoded = Problem(
        kind: .unsupportedContentEncoding, status: .unsupportedMediaType, title: "Unsupported content encoding",
        detail: "Send it without Content-Encoding.")

    static let unexpected = Problem(
        kind: .`internal`, status: .internalServerError, title: "Internal error",
        detail: "The log has the cause under this X-Request-Id.")

    static func simulatorToken(_ detail: String) -> Problem {
        Problem(
            kind: .simulatorToken, status: .unprocessableContent, title: "Simulator token",
            detail: detail)
    }

    static func tokenRefused(check: String, detail: String) -> Problem {
        Problem(
            kind: .tokenRefused, status: .unprocessableContent, title: "Apple Pay token refused",
            detail: "\(check): \(detail)", check: check)
    }

    static let verificationOff = Problem(
        kind: .verificationOff, status: .conflict, title: "Token verification is off",
        detail: "Token verification is turned off in the configuration.")

    static let referenceTaken = Problem(
        kind: .referenceTaken, status: .unprocessableContent, title: "merchant_reference already used",
        detail: "This merchant_reference was used with another request body. Use a new one for a new order.")

    static let recordUnreadable = Problem(
        kind: .recordUnreadable, status: .internalServerError, title: "Payment record unreadable",
        detail:
            "Nothing was done. An operator has to look at the journal: the log has the cause under this X-Request-Id.")

    static let idempotencyKeyTaken = Problem(
        kind: .idempotencyKeyTaken, status: .unprocessableContent,
        title: "Idempotency-Key already used",
        detail: "This Idempotency-Key was used with another merchant_reference.")

    static let inFlight = Problem(
        kind: .inFlight, status: .conflict, title: "Request in flight",
        detail: "The same request has no response yet. Retry it after Retry-After, or read the payment.",
        retryAfterSeconds: 1)

    static let tokenTaken = Problem(
        kind: .tokenUsed, status: .conflict, title: "Apple Pay token already used",
        detail: "This Apple Pay token already pays another merchant_reference.")

    static func notAllowed(_ reason: String) -> Problem {
        Problem(
            kind: .notAllowed, status: .conflict, title: "Operation not allowed in this state",
            detail: "\(reason).")
    }

    static let operationInFlight = Problem(
        kind: .inFlight, status: .conflict, title: "Operation in flight",
        detail: "Another operation on this payment has no outcome yet. Read the payment, or retry after Retry-After.",
        retryAfterSeconds: 1)

    static let operationKeyTaken = Problem(
        kind: .operationTaken, status: .unprocessableContent, title: "Operation key already used",
        detail: "This maintenance_reference or Idempotency-Key was used for another operation on this payment.")

    public static func notSent(_ reason: String) -> Problem {
        Problem(
            kind: .processorUnreachable, status: .serviceUnavailable,
            title: "Processor unreachable, nothing was sent",
            detail: "\(reason). Nothing was charged. Retry the same request.", retryAfterSeconds: 1)
    }

    static func journalUnavailable(_ reason: String) -> Problem {
        Problem(
            kind: .journalUnavailable, status: .serviceUnavailable, title: "Journal unavailable, nothing was sent",
            detail: "\(reason). Nothing was charged. Retry the same request.", retryAfterSeconds: 1)
    }

    static func notConfigured(_ detail: String) -> Problem {
        Problem(kind: .notConfigured, status: .notFound, title: "Not configured", detail: detail)
    }
}
