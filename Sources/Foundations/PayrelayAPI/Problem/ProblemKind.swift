/// A kind of problem in the API's responses (`Problem` in openapi.yaml; RFC 9457).
///
/// A new problem needs a case and its row, both in this file, and a section in `docs/problems.md` that says what
/// to do. Tests compare that page and openapi.yaml with this table.
///
/// ```swift
/// if problem.kind?.mayHaveCharged == true { offerToLookThePaymentUp() }
/// ```
public enum ProblemKind: String, Sendable, CaseIterable, CustomStringConvertible {
    case accountUnverified = "account-unverified"
    case appleRefused = "apple-refused"
    case appleUnreachable = "apple-unreachable"
    case bodyTooLarge = "body-too-large"
    case crossSite = "cross-site"
    case feedbackMalformed = "feedback-malformed"
    case feedbackNotProven = "feedback-not-proven"
    case foreignHost = "foreign-host"
    case headersTooLarge = "headers-too-large"
    case idempotencyKeyTaken = "idempotency-key-taken"
    case inFlight = "in-flight"
    case incompleteBody = "incomplete-body"
    case `internal` = "internal"
    case invalidFields = "invalid-fields"
    case journalUnavailable = "journal-unavailable"
    case malformedRequest = "malformed-request"
    case methodNotAllowed = "method-not-allowed"
    case noSuchPayment = "no-such-payment"
    case notAllowed = "not-allowed"
    case notAuthenticated = "not-authenticated"
    case notConfigured = "not-configured"
    case notFound = "not-found"
    case notJSON = "not-json"
    case notPermitted = "not-permitted"
    case operationTaken = "operation-taken"
    case otherOrder = "other-order"
    case gatewayRefused = "processor-refused"
    case gatewayUnproven = "processor-unproven"
    case gatewayUnreachable = "processor-unreachable"
    case recordUnreadable = "record-unreadable"
    case referenceTaken = "reference-taken"
    case requestTooSlow = "request-too-slow"
    case simulatorToken = "simulator-token"
    case tokenKeysUnavailable = "token-keys-unavailable"
    case tokenRefused = "token-refused"
    case tokenUsed = "token-used"
    case tooBusy = "too-busy"
    case tooManyRequests = "too-many-requests"
    case unknownMethod = "unknown-method"
    case unsupportedContentEncoding = "unsupported-content-encoding"
    case unsupportedMediaType = "unsupported-media-type"
    case verificationOff = "verification-off"
}

extension ProblemKind {
    public var description: String { rawValue }
    /// The HTTP status.
    public var status: Int { row.status }
    /// The kind in words for people (RFC 9457, 3.1.3).
    public var title: String { row.title }

    /// Whether the customer may have been charged, by this request or by another request that it conflicts with.
    public var mayHaveCharged: Bool {
        switch self {
        case .idempotencyKeyTaken, .inFlight, .internal, .noSuchPayment, .operationTaken, .recordUnreadable,
            .referenceTaken, .tokenUsed:
            true
        default: false
        }
    }

    private var row: (status: Int, title: String) {
        switch self {
        case .accountUnverified: (503, "Account not verified, nothing was sent")
        case .appleRefused: (502, "Apple Pay refused the session")
        case .appleUnreachable: (503, "Apple Pay could not be reached")
        case .bodyTooLarge: (413, "Request body too large")
        case .crossSite: (403, "Cross-site request refused")
        case .feedbackMalformed: (400, "Malformed feedback")
        case .feedbackNotProven: (401, "Feedback not authenticated")
        case .foreignHost: (421, "Host not allowed")
        case .headersTooLarge: (431, "Request header too large")
        case .idempotencyKeyTaken: (422, "Idempotency-Key already used")
        case .inFlight: (409, "Request in flight")
        case .incompleteBody: (400, "Incomplete request body")
        case .internal: (500, "Internal error")
        case .invalidFields: (400, "Invalid fields")
        case .journalUnavailable: (503, "Journal unavailable")
        case .malformedRequest: (400, "Malformed HTTP request")
        case .methodNotAllowed: (405, "Method not allowed")
        case .noSuchPayment: (404, "Payment not found")
        case .notAllowed: (409, "Operation not allowed in this state")
        case .notAuthenticated: (401, "Authentication required")
        case .notConfigured: (404, "Not configured")
        case .notFound: (404, "Not found")
        case .notJSON: (400, "Invalid JSON")
        case .notPermitted: (403, "Permission denied")
        case .operationTaken: (422, "Operation key already used")
        case .otherOrder: (403, "Order token does not allow this order")
        case .gatewayRefused: (502, "Processor refused")
        case .gatewayUnproven: (502, "Processor response not verified")
        case .gatewayUnreachable: (503, "Processor unreachable, nothing was sent")
        case .recordUnreadable: (500, "Payment record unreadable")
        case .referenceTaken: (422, "merchant_reference already used")
        case .requestTooSlow: (408, "Request timeout")
        case .simulatorToken: (422, "Simulator token")
        case .tokenKeysUnavailable: (503, "JWT keys unavailable")
        case .tokenRefused: (422, "Apple Pay token refused")
        case .tokenUsed: (409, "Apple Pay token already used")
        case .tooBusy: (503, "Too many concurrent requests")
        case .tooManyRequests: (429, "Rate limit exceeded")
        case .unknownMethod: (501, "Method not implemented")
        case .unsupportedContentEncoding: (415, "Unsupported content encoding")
        case .unsupportedMediaType: (415, "Unsupported media type")
        case .verificationOff: (409, "Token verification is off")
        }
    }
}
