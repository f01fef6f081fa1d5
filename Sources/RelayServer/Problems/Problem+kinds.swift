import AccessControl
import HTTPTypes
import OrderedJSON
import PaymentRelay

/// Every kind of problem that this service answers with, one line of its own words each.
extension Problem {
    static func notJSON(_ detail: String) -> Problem {
        Problem(slug: "not-json", status: .badRequest, title: "The body is not the JSON that is needed", detail: detail)
    }

    /// Names every field at fault; of a body made of faults alone the first hundred, so that the answer is not its multiple.
    static func invalidFields(_ faults: [FieldFault]) -> Problem {
        let named = Array(faults.prefix(100))
        let names = named.map(\.field).joined(separator: ", ")
        let rest = faults.count > named.count ? " There are \(faults.count - named.count) more." : ""
        return Problem(
            slug: "invalid-fields", status: .badRequest, title: "Fields are missing, unknown or out of their limits",
            detail: "See errors for each of: \(names).\(rest)", faults: named)
    }

    static func notAuthenticated(_ reason: String, challenge: String) -> Problem {
        Problem(
            slug: "not-authenticated", status: .unauthorized, title: "It is not known who calls",
            detail: "Send Authorization: Bearer with a valid key or token: \(reason).", challenge: challenge)
    }

    static let keysUnavailable = Problem(
        slug: "token-keys-unavailable", status: .serviceUnavailable, title: "Tokens cannot be checked",
        detail: "The keys for tokens cannot be fetched. Nothing was done; the same request may be tried again.",
        retryAfterSeconds: 10)

    static func scopeMissing(_ scope: Scope) -> Problem {
        Problem(
            slug: "not-permitted", status: .forbidden, title: "The caller may not do this",
            detail: "It takes the scope \(scope.rawValue), which this key or token does not have.",
            challenge: Problem.bearer + #", error="insufficient_scope", scope="\#(scope.rawValue)""#)
    }

    static let notForOrderTokens = Problem(
        slug: "not-permitted", status: .forbidden, title: "The caller may not do this",
        detail: "An order token pays its order and looks at it, and does nothing else.")

    /// Names every member at fault; of very many the first hundred.
    static func otherOrder(_ faults: [FieldFault]) -> Problem {
        let named = Array(faults.prefix(100))
        let rest = faults.count > named.count ? " There are \(faults.count - named.count) more." : ""
        return Problem(
            slug: "other-order", status: .forbidden, title: "The order token does not allow this order",
            detail: "See errors for each of: \(named.map(\.field).joined(separator: ", ")).\(rest)", faults: named)
    }

    static let notFound = Problem(
        slug: "not-found", status: .notFound, title: "There is nothing here", detail: "This path does not exist.")

    static let noSuchPayment = Problem(
        slug: "no-such-payment", status: .notFound, title: "There is no such payment",
        detail: "No payment with this merchant_reference is known.")

    static func methodNotAllowed(_ allowed: [String]) -> Problem {
        let allow = allowed.joined(separator: ", ")
        return Problem(
            slug: "method-not-allowed", status: .methodNotAllowed, title: "The path does not take this method",
            detail: "It takes \(allow).", allow: allow)
    }

    static let unknownMethod = Problem(
        slug: "unknown-method", status: .notImplemented, title: "No path takes this method",
        detail: "It is not a method that this service knows.")

    static let crossSite = Problem(
        slug: "cross-site", status: .forbidden, title: "The request comes from a web page of another origin",
        detail: "Sec-Fetch-Site must be same-origin or none; without it, Origin must be absent or match Host.")

    static let foreignHost = Problem(
        slug: "foreign-host", status: .misdirectedRequest, title: "The service is not asked under this host name",
        detail: "Ask it by its address, by a loopback name, or by one that PAYRELAY_HTTP_HOSTS lists.")

    static func bodyTooLarge(limit: Int) -> Problem {
        Problem(
            slug: "body-too-large", status: .contentTooLarge, title: "The body is too large",
            detail: "At most \(limit) bytes are read.")
    }

    static let incompleteBody = Problem(
        slug: "incomplete-body", status: .badRequest, title: "The body ended too early",
        detail: "The connection ended, or its framing was broken, before the whole body had come.")

    static let headersTooLarge = Problem(
        slug: "headers-too-large", status: .requestHeaderFieldsTooLarge, title: "The request's header is too large",
        detail: "It has more bytes or more fields than are read.")

    static let malformedRequest = Problem(
        slug: "malformed-request", status: .badRequest, title: "This is no HTTP request",
        detail: "It departs from RFC 9112, or could be read in more than one way. The connection is closed.")

    static let requestTooSlow = Problem(
        slug: "request-too-slow", status: .requestTimeout, title: "The request took too long to arrive",
        detail: "The connection is closed, because the whole body had not come in time.")

    static let tooManyInFlight = Problem(
        slug: "too-busy", status: .serviceUnavailable, title: "Too many requests are under way",
        detail: "Nothing was done; the same request may be tried again.", retryAfterSeconds: 1)

    static func tooManyRequests(retryAfterSeconds: Int) -> Problem {
        Problem(
            slug: "too-many-requests", status: .tooManyRequests, title: "This client sends too many requests",
            detail: "Nothing was done; the same request may be tried again.", retryAfterSeconds: retryAfterSeconds)
    }

    static let notJSONMediaType = Problem(
        slug: "unsupported-media-type", status: .unsupportedMediaType, title: "The body must be application/json",
        detail: "Send Content-Type: application/json.")

    static let contentEncoded = Problem(
        slug: "unsupported-content-encoding", status: .unsupportedMediaType, title: "The body is encoded",
        detail: "Send it without Content-Encoding.")

    static let unexpected = Problem(
        slug: "internal", status: .internalServerError, title: "The service failed",
        detail: "The log has the cause under this request's identifier.")

    static func simulatorToken(_ detail: String) -> Problem {
        Problem(
            slug: "simulator-token", status: .unprocessableContent, title: "The token comes from a simulator",
            detail: detail)
    }

    static func tokenRefused(check: String, detail: String) -> Problem {
        Problem(
            slug: "token-refused", status: .unprocessableContent, title: "The Apple Pay token is refused",
            detail: "\(check): \(detail)", check: check)
    }

    static let verificationOff = Problem(
        slug: "verification-off", status: .conflict, title: "Tokens are not verified here",
        detail: "The operator turned token verification off, so no verdict can be given.")

    static let referenceTaken = Problem(
        slug: "reference-taken", status: .unprocessableContent, title: "The reference belongs to another request",
        detail: "This merchant_reference was used with another body. Use a new one for a new order.")

    static let recordUnreadable = Problem(
        slug: "record-unreadable", status: .internalServerError, title: "The payment's record cannot be read",
        detail: "Nothing was done. An operator has to look: the log has the cause under this request's identifier.")

    static let idempotencyKeyTaken = Problem(
        slug: "idempotency-key-taken", status: .unprocessableContent,
        title: "The idempotency key belongs to another request",
        detail: "This Idempotency-Key was used with another merchant_reference.")

    static let inFlight = Problem(
        slug: "in-flight", status: .conflict, title: "The same request is on its way",
        detail: "Its answer is not there yet. Send it again in a moment, or look the payment up.", retryAfterSeconds: 1)

    static let tokenTaken = Problem(
        slug: "token-used", status: .conflict, title: "The token is used",
        detail: "This Apple Pay token already pays another merchant_reference.")

    static func notAllowed(_ reason: String) -> Problem {
        Problem(
            slug: "not-allowed", status: .conflict, title: "The payment's state does not allow this",
            detail: "\(reason).")
    }

    static let operationInFlight = Problem(
        slug: "in-flight", status: .conflict, title: "An operation on this payment is on its way",
        detail: "Its outcome is not known yet. Look the payment up, or send this again in a moment.",
        retryAfterSeconds: 1)

    static let operationNameTaken = Problem(
        slug: "operation-taken", status: .unprocessableContent, title: "The name belongs to another operation",
        detail: "This maintenance_reference or Idempotency-Key was used for another operation on this payment.")

    static let notFeedbackMediaType = Problem(
        slug: "unsupported-media-type", status: .unsupportedMediaType, title: "This is not how FORT sends feedback",
        detail: "Send application/x-www-form-urlencoded or application/json.")

    static func feedbackNotProven(_ reason: String) -> Problem {
        Problem(
            slug: "feedback-not-proven", status: .unauthorized, title: "The feedback is not proven to be FORT's",
            detail: "It changed nothing: \(reason).")
    }

    static func feedbackMalformed(_ reason: String) -> Problem {
        Problem(
            slug: "feedback-malformed", status: .badRequest, title: "The feedback cannot be read",
            detail: "It changed nothing: \(reason).")
    }

    static let feedbackNotRecorded = Problem(
        slug: "journal-unavailable", status: .serviceUnavailable, title: "The feedback cannot be recorded",
        detail: "It changed nothing. Send it again.", retryAfterSeconds: 1)

    static let feedbackUndecided = Problem(
        slug: "in-flight", status: .conflict, title: "Another operation on this payment is open",
        detail: "It changed nothing, because it may be about that operation. Send it again.", retryAfterSeconds: 10)

    static func sdkTokenRefused(_ answer: JSONObject) -> Problem {
        let code = answer["response_code"]?.stringValue ?? "no code"
        let message = answer["response_message"]?.stringValue ?? ""
        return Problem(
            slug: "processor-refused", status: .badGateway, title: "FORT made no token",
            detail: "It answered \(code): \(message)")
    }

    static func processorNotBelieved(_ reason: String) -> Problem {
        Problem(
            slug: "processor-unproven", status: .badGateway, title: "FORT gave no answer that proves anything",
            detail: "\(reason). Nothing was charged; the same request may be tried again.")
    }

    static func notSent(_ reason: String) -> Problem {
        Problem(
            slug: "processor-unreachable", status: .serviceUnavailable, title: "Nothing was sent",
            detail: "\(reason). Nothing was charged; the same request may be tried again.", retryAfterSeconds: 1)
    }

    static func journalUnavailable(_ reason: String) -> Problem {
        Problem(
            slug: "journal-unavailable", status: .serviceUnavailable, title: "The payment cannot be recorded",
            detail: "\(reason). Nothing was charged; the same request may be tried again.", retryAfterSeconds: 1)
    }

    static func notConfigured(_ detail: String) -> Problem {
        Problem(slug: "not-configured", status: .notFound, title: "The operator has not set this up", detail: detail)
    }
}
