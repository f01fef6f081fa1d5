/// A kind of problem that the API answers with, by its stable name (`Problem` in openapi.yaml).
///
/// A name that is not listed here is kept as it is: a client can read a newer relay's answers.
public struct ProblemKind: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The name, without what stands before it in `type`.
    public let rawValue: String

    /// A kind by its name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    public var description: String { rawValue }

    public static let appleRefused = Self(rawValue: "apple-refused")
    public static let appleUnreachable = Self(rawValue: "apple-unreachable")
    public static let bodyTooLarge = Self(rawValue: "body-too-large")
    public static let crossSite = Self(rawValue: "cross-site")
    public static let feedbackMalformed = Self(rawValue: "feedback-malformed")
    public static let feedbackNotProven = Self(rawValue: "feedback-not-proven")
    public static let foreignHost = Self(rawValue: "foreign-host")
    public static let headersTooLarge = Self(rawValue: "headers-too-large")
    public static let idempotencyKeyTaken = Self(rawValue: "idempotency-key-taken")
    public static let inFlight = Self(rawValue: "in-flight")
    public static let incompleteBody = Self(rawValue: "incomplete-body")
    public static let `internal` = Self(rawValue: "internal")
    public static let invalidFields = Self(rawValue: "invalid-fields")
    public static let journalUnavailable = Self(rawValue: "journal-unavailable")
    public static let malformedRequest = Self(rawValue: "malformed-request")
    public static let methodNotAllowed = Self(rawValue: "method-not-allowed")
    public static let noSuchPayment = Self(rawValue: "no-such-payment")
    public static let notAllowed = Self(rawValue: "not-allowed")
    public static let notAuthenticated = Self(rawValue: "not-authenticated")
    public static let notConfigured = Self(rawValue: "not-configured")
    public static let notFound = Self(rawValue: "not-found")
    public static let notJSON = Self(rawValue: "not-json")
    public static let notPermitted = Self(rawValue: "not-permitted")
    public static let operationTaken = Self(rawValue: "operation-taken")
    public static let otherOrder = Self(rawValue: "other-order")
    public static let processorRefused = Self(rawValue: "processor-refused")
    public static let processorUnproven = Self(rawValue: "processor-unproven")
    public static let processorUnreachable = Self(rawValue: "processor-unreachable")
    public static let recordUnreadable = Self(rawValue: "record-unreadable")
    public static let referenceTaken = Self(rawValue: "reference-taken")
    public static let requestTooSlow = Self(rawValue: "request-too-slow")
    public static let simulatorToken = Self(rawValue: "simulator-token")
    public static let tokenKeysUnavailable = Self(rawValue: "token-keys-unavailable")
    public static let tokenRefused = Self(rawValue: "token-refused")
    public static let tokenUsed = Self(rawValue: "token-used")
    public static let tooBusy = Self(rawValue: "too-busy")
    public static let tooManyRequests = Self(rawValue: "too-many-requests")
    public static let unknownMethod = Self(rawValue: "unknown-method")
    public static let unsupportedContentEncoding = Self(rawValue: "unsupported-content-encoding")
    public static let unsupportedMediaType = Self(rawValue: "unsupported-media-type")
    public static let verificationOff = Self(rawValue: "verification-off")

    /// Every kind that the API documents, by name.
    public static let all: [Self] = [
        .appleRefused, .appleUnreachable, .bodyTooLarge, .crossSite, .feedbackMalformed, .feedbackNotProven,
        .foreignHost, .headersTooLarge, .idempotencyKeyTaken, .inFlight, .incompleteBody, .`internal`, .invalidFields,
        .journalUnavailable, .malformedRequest, .methodNotAllowed, .noSuchPayment, .notAllowed, .notAuthenticated,
        .notConfigured, .notFound, .notJSON, .notPermitted, .operationTaken, .otherOrder, .processorRefused,
        .processorUnproven, .processorUnreachable, .recordUnreadable, .referenceTaken, .requestTooSlow,
        .simulatorToken, .tokenKeysUnavailable, .tokenRefused, .tokenUsed, .tooBusy, .tooManyRequests, .unknownMethod,
        .unsupportedContentEncoding, .unsupportedMediaType, .verificationOff,
    ]
}
