/// A kind of problem that the API answers with (`Problem` in openapi.yaml; RFC 9457).
///
/// This is the table of them: the server takes the status and the title of a problem from it, `docs/problems.md` is made from it, and
/// openapi.yaml is held against it. A new problem is a case and its row, both in this file.
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
    case processorRefused = "processor-refused"
    case processorUnproven = "processor-unproven"
    case processorUnreachable = "processor-unreachable"
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
    /// A row of the table: the status and the texts that all problems of the kind share.
    private struct Row {
        let status: Int
        let title: String
        let meaning: String
        var mayHaveCharged = false
        let charged: String
        let retry: String
        let whatToDo: String
    }

    public var description: String { rawValue }
    /// The HTTP status.
    public var status: Int { row.status }
    /// The kind in words for a person (RFC 9457, 3.1.3).
    public var title: String { row.title }
    /// When the relay answers with it. Markdown, as ``charged``, ``retry`` and ``whatToDo``; links are relative to
    /// `docs/problems.md`.
    public var meaning: String { row.meaning }
    /// Whether the customer may have been charged, by this request or by another that it collides with.
    public var mayHaveCharged: Bool { row.mayHaveCharged }
    /// Whether and how the customer was charged.
    public var charged: String { row.charged }
    /// Whether the same request may be sent again.
    public var retry: String { row.retry }
    /// Advice for the client or the operator.
    public var whatToDo: String { row.whatToDo }

    private var row: Row {
        switch self {
        case .accountUnverified:
            Row(
                status: 503, title: "Account not verified, nothing was sent",
                meaning:
                    """
                    The processor answers, and no answer of it for the account has been verified since the relay \
                    started. Nothing is charged until one is.
                    """,
                charged: "Nothing: the request was not sent.",
                retry: "Yes, the same request after `Retry-After`.",
                whatToDo:
                    """
                    The operator looks at `/ready` and the \
                    [runbook](runbook.md#charges-are-refused-account-not-verified).
                    """)
        case .appleRefused:
            Row(
                status: 502, title: "Apple Pay refused the session",
                meaning: "Apple refused a merchant session, or its answer was none.",
                charged: "Nothing; a session charges nothing.",
                retry: "No: the same request is refused again.",
                whatToDo:
                    """
                    Usual causes: the merchant identity certificate is of another merchant identifier or has ended, \
                    or [the domain is not registered](apple-pay-on-the-web.md#setup). `detail` says more.
                    """)
        case .appleUnreachable:
            Row(
                status: 503, title: "Apple Pay could not be reached",
                meaning: "Apple could not be asked for a merchant session, or did not answer in time.",
                charged: "Nothing; a session charges nothing.",
                retry: "Yes, after `Retry-After`.",
                whatToDo: "If it lasts: check DNS, the firewall and the proxy between the relay and Apple.")
        case .bodyTooLarge:
            Row(
                status: 413, title: "Request body too large",
                meaning: "The body is longer than `PAYRELAY_HTTP_BODY_BYTES_MAX`.",
                charged: "Nothing was done.",
                retry: "No.",
                whatToDo: "Send the token alone: a real payment has a few kilobytes.")
        case .crossSite:
            Row(
                status: 403, title: "Cross-site request refused",
                meaning:
                    "A web page of another origin sent the request (`Sec-Fetch-Site`, `Origin`). There is no CORS.",
                charged: "Nothing was done.",
                retry: "No.",
                whatToDo:
                    """
                    Serve the relay under the page's own origin, or pay through your backend: \
                    [authentication](authentication.md#web-pages).
                    """)
        case .feedbackMalformed:
            Row(
                status: 400, title: "Malformed feedback",
                meaning: "Transaction feedback that cannot be read.",
                charged: "It changed nothing.",
                retry: "No.",
                whatToDo: "If the processor sent it, report the log line `feedback refused`.")
        case .feedbackNotProven:
            Row(
                status: 401, title: "Feedback not authenticated",
                meaning:
                    """
                    The signature of transaction feedback is not that of the account that it names, or there is no \
                    such account.
                    """,
                charged:
                    """
                    It changed nothing. What it reports may be true all the same: the relay asks the processor about \
                    open payments itself.
                    """,
                retry: "No.",
                whatToDo:
                    """
                    If the processor sent it, compare the account's secrets with its dashboard: \
                    [runbook](runbook.md#signature-mismatch).
                    """)
        case .foreignHost:
            Row(
                status: 421, title: "Host not allowed",
                meaning: "The `Host` of the request is not a name that the relay accepts.",
                charged: "Nothing was done.",
                retry: "No.",
                whatToDo: "Use the configured name, or add it to `PAYRELAY_HTTP_HOSTS`.")
        case .headersTooLarge:
            Row(
                status: 431, title: "Request header too large",
                meaning: "The header has more bytes than `PAYRELAY_HTTP_HEADER_BYTES_MAX`, or more than 100 fields.",
                charged: "Nothing was done.",
                retry: "No.",
                whatToDo: "Send fewer header fields; cookies are the usual cause.")
        case .idempotencyKeyTaken:
            Row(
                status: 422, title: "Idempotency-Key already used",
                meaning: "The `Idempotency-Key` was used for another payment, or for a capture, a void or a refund.",
                mayHaveCharged: true,
                charged: "This request charged nothing. The payment that the key belongs to may be charged.",
                retry: "Not with this key.",
                whatToDo: "Use one key for one request, or none: the reference is enough.")
        case .inFlight:
            Row(
                status: 409, title: "Request in flight",
                meaning:
                    """
                    The same payment is being carried out, or another operation on the payment has no outcome yet.
                    """,
                mayHaveCharged: true,
                charged: "**Maybe.** This request charged nothing; the request that is in flight may charge.",
                retry: "Yes, the same request after `Retry-After`: it gets the stored answer as soon as there is one.",
                whatToDo: "Retry, or read `GET /v1/payments/{merchant_reference}`. Do not pay under another reference.")
        case .incompleteBody:
            Row(
                status: 400, title: "Incomplete request body",
                meaning: "The connection ended, or its framing was broken, before the whole body had arrived.",
                charged: "Nothing was done.",
                retry: "Yes, the same request.",
                whatToDo: "Check the network and the proxies between client and relay.")
        case .internal:
            Row(
                status: 500, title: "Internal error",
                meaning: "A bug of payrelay.",
                mayHaveCharged: true, charged: "**Maybe**: it is not known how far the request came.",
                retry: "Yes, the same request: what was charged is not charged again.",
                whatToDo:
                    """
                    Read `GET /v1/payments/{merchant_reference}` before you offer anything else. Report the log line \
                    with the answer's `X-Request-Id`.
                    """)
        case .invalidFields:
            Row(
                status: 400, title: "Invalid fields",
                meaning:
                    """
                    Fields are missing, unknown, of the wrong type or beyond the processor's limits. `errors` names \
                    each.
                    """,
                charged: "Nothing was done.",
                retry: "Not unchanged.",
                whatToDo: "Correct every field that `errors` names.")
        case .journalUnavailable:
            Row(
                status: 503, title: "Journal unavailable",
                meaning:
                    """
                    The journal could not be read or written, or not in time. Feedback gets this answer if it could \
                    not be recorded.
                    """,
                charged: "This request charged nothing: what cannot be recorded is not sent.",
                retry: "Yes, the same request after `Retry-After`.",
                whatToDo: "The operator looks at the [runbook](runbook.md#the-journal-cannot-be-used).")
        case .malformedRequest:
            Row(
                status: 400, title: "Malformed HTTP request",
                meaning: "The bytes depart from HTTP, or could be read in more than one way. The connection is closed.",
                charged: "Nothing was done.",
                retry: "No.",
                whatToDo: "Use an ordinary HTTP client. A proxy that rewrites requests may be the cause.")
        case .methodNotAllowed:
            Row(
                status: 405, title: "Method not allowed",
                meaning: "The path takes other methods: `Allow` names them.",
                charged: "Nothing was done.",
                retry: "No.",
                whatToDo: "Use a method of `Allow`.")
        case .noSuchPayment:
            Row(
                status: 404, title: "Payment not found",
                meaning:
                    """
                    The relay knows no payment with this reference, or a hidden one: another client's, or \
                    [made elsewhere](fort-sdk-payments.md).
                    """,
                mayHaveCharged: true,
                charged: "This request moved nothing. A hidden payment may be charged.",
                retry: "No, unless the payment is made first.",
                whatToDo: "After a payment without an answer, send the same payment again: it is charged once.")
        case .notAllowed:
            Row(
                status: 409, title: "Operation not allowed in this state",
                meaning: "The payment's state does not allow this capture, void or refund; `detail` has the reason.",
                charged: "This request moved nothing.",
                retry: "Not unchanged.",
                whatToDo: "Read the payment: [payment states](payment-states.md) says what each state allows.")
        case .notAuthenticated:
            Row(
                status: 401, title: "Authentication required",
                meaning: "No credential, or one that is unknown, expired or wrongly signed; `detail` has the reason.",
                charged: "Nothing was done.",
                retry: "Not with this credential.",
                whatToDo:
                    """
                    An app gets a new order token and sends the same request again. A backend checks its \
                    [key](authentication.md).
                    """)
        case .notConfigured:
            Row(
                status: 404, title: "Not configured",
                meaning: "The operator has not configured this: Apple Pay on the web, or Apple's domain file.",
                charged: "Nothing was done.",
                retry: "No.",
                whatToDo: "`detail` names the setting.")
        case .notFound:
            Row(
                status: 404, title: "Not found",
                meaning:
                    """
                    The path does not exist. A trailing slash, an empty segment or an encoded slash is another path.
                    """,
                charged: "Nothing was done.",
                retry: "No.",
                whatToDo: "Compare the path with [openapi.yaml](openapi.yaml).")
        case .notJSON:
            Row(
                status: 400, title: "Invalid JSON",
                meaning: "The body is not JSON, is nested too deep, or has a member twice.",
                charged: "Nothing was done.",
                retry: "No.",
                whatToDo: "`detail` has the place.")
        case .notPermitted:
            Row(
                status: 403, title: "Permission denied",
                meaning:
                    """
                    The credential lacks the scope of the route. An order token can only pay its order and read it.
                    """,
                charged: "Nothing was done.",
                retry: "Not with this credential.",
                whatToDo: "Give the key the [scope](authentication.md) that `detail` names.")
        case .operationTaken:
            Row(
                status: 422, title: "Operation key already used",
                meaning:
                    """
                    The `maintenance_reference` was used for another operation on this payment, or the `Idempotency-Key` for \
                    another request, on this payment or another.
                    """,
                mayHaveCharged: true, charged: "This request moved nothing. The other request may be done.",
                retry: "Not with this key.",
                whatToDo: "Read the payment's operations. For a further operation use another reference and key.")
        case .otherOrder:
            Row(
                status: 403, title: "Order token does not allow this order",
                meaning:
                    """
                    `errors` names each field that differs from the order token, that a phone may not choose, or \
                    that the token must contain.
                    """,
                charged: "Nothing was done.",
                retry: "Not with this token.",
                whatToDo: "The backend issues an order token for exactly this order.")
        case .processorRefused:
            Row(
                status: 502, title: "Processor refused",
                meaning: "The processor refused to issue an SDK token; `detail` has its code and text.",
                charged: "Nothing was charged: an SDK token charges nothing.",
                retry: "No.",
                whatToDo: "Look the code up among the [codes](fort-codes.md).")
        case .processorUnproven:
            Row(
                status: 502, title: "Processor response not verified",
                meaning:
                    """
                    The processor's answer to the request for an SDK token came too late, or is not proven to be its \
                    own.
                    """,
                charged: "Nothing was charged: an SDK token charges nothing.",
                retry: "Yes.",
                whatToDo:
                    """
                    If it lasts, see the runbook: [the processor does not answer](runbook.md#fort-does-not-answer), \
                    [signature mismatch](runbook.md#signature-mismatch).
                    """)
        case .processorUnreachable:
            Row(
                status: 503, title: "Processor unreachable, nothing was sent",
                meaning:
                    """
                    The relay could not connect to the processor, the circuit breaker is open, too many requests are \
                    in flight, or recording took too long to send safely.
                    """,
                charged: "Nothing: the request was provably not sent.",
                retry:
                    """
                    Yes, the same request after `Retry-After`; after `PAYRELAY_TOKEN_FRESHNESS_SECONDS` only with a \
                    new Apple Pay token, under the same reference.
                    """,
                whatToDo: "Offer to try again. The operator looks at the [runbook](runbook.md#fort-does-not-answer).")
        case .recordUnreadable:
            Row(
                status: 500, title: "Payment record unreadable",
                meaning: "The journal's record of this payment cannot be read.",
                mayHaveCharged: true,
                charged: "This request charged nothing. **The payment may have been charged before.**",
                retry: "No.",
                whatToDo:
                    "Do not charge again. The operator looks at the [runbook](runbook.md#records-that-cannot-be-read).")
        case .referenceTaken:
            Row(
                status: 422, title: "merchant_reference already used",
                meaning: "The `merchant_reference` was used with another body, by another client, or elsewhere.",
                mayHaveCharged: true,
                charged: "This request charged nothing. The order that the reference belongs to may be charged.",
                retry: "Not unchanged.",
                whatToDo:
                    """
                    To retry, send the same bytes. A new order needs a new reference; read the payment first if you \
                    do not know its outcome.
                    """)
        case .requestTooSlow:
            Row(
                status: 408, title: "Request timeout",
                meaning:
                    """
                    The body did not arrive within `PAYRELAY_HTTP_BODY_TIMEOUT_SECONDS`. The connection is closed.
                    """,
                charged: "Nothing was done.",
                retry: "Yes, the same request.",
                whatToDo: "Check the client's network.")
        case .simulatorToken:
            Row(
                status: 422, title: "Simulator token",
                meaning: "The token comes from the iOS Simulator, which has no payment data.",
                charged: "Nothing was done.",
                retry: "No.",
                whatToDo: "Use a device, or `payrelay token mint` against the sandbox.")
        case .tokenKeysUnavailable:
            Row(
                status: 503, title: "JWT keys unavailable",
                meaning: "The keys that verify JWTs cannot be fetched from `PAYRELAY_JWT_KEYS_URL`.",
                charged: "Nothing was done.",
                retry: "Yes, after `Retry-After`.",
                whatToDo: "The operator checks the URL, or uses a file (`PAYRELAY_JWT_KEYS_FILE`).")
        case .tokenRefused:
            Row(
                status: 422, title: "Apple Pay token refused",
                meaning: "The Apple Pay token failed a check; `check` names it, `detail` has the reason.",
                charged: "This request charged nothing.",
                retry: "Not with this token.",
                whatToDo:
                    """
                    After `freshness`, pay with a new token. For other checks see the \
                    [runbook](runbook.md#tokens-that-are-refused).
                    """)
        case .tokenUsed:
            Row(
                status: 409, title: "Apple Pay token already used",
                meaning: "The Apple Pay token already pays another `merchant_reference`.",
                mayHaveCharged: true, charged: "This request charged nothing. **The other order may be charged.**",
                retry: "Not with this token.",
                whatToDo: "Read the payment of the other reference first. A new order needs a new token.")
        case .tooBusy:
            Row(
                status: 503, title: "Too many concurrent requests",
                meaning:
                    """
                    Too many requests are in flight, or the sender has more than its share of requests, connections \
                    or bodies.
                    """,
                charged: "Nothing was done.",
                retry: "Yes, after `Retry-After`.",
                whatToDo:
                    """
                    If it lasts: [shares](configuration.md#shares), and the \
                    [runbook](runbook.md#slow-answers-errors-and-overload).
                    """)
        case .tooManyRequests:
            Row(
                status: 429, title: "Rate limit exceeded",
                meaning: "The client sends more than `PAYRELAY_HTTP_CLIENT_REQUESTS_PER_SECOND_MAX`.",
                charged: "Nothing was done.",
                retry: "Yes, after `Retry-After`.",
                whatToDo: "Send less often; do not poll faster than `Retry-After` says.")
        case .unknownMethod:
            Row(
                status: 501, title: "Method not implemented",
                meaning: "HTTP defines no such method.",
                charged: "Nothing was done.",
                retry: "No.",
                whatToDo: "Use a method of [openapi.yaml](openapi.yaml).")
        case .unsupportedContentEncoding:
            Row(
                status: 415, title: "Unsupported content encoding",
                meaning: "The body is encoded (`Content-Encoding`).",
                charged: "Nothing was done.",
                retry: "Not encoded.",
                whatToDo: "Send it uncompressed.")
        case .unsupportedMediaType:
            Row(
                status: 415, title: "Unsupported media type",
                meaning: "The body's `Content-Type` is not `application/json`; of feedback, also not a form.",
                charged: "Nothing was done.",
                retry: "Not unchanged.",
                whatToDo: "Send `Content-Type: application/json`.")
        case .verificationOff:
            Row(
                status: 409, title: "Token verification is off",
                meaning: "`PAYRELAY_TOKEN_VERIFICATION` is `off`, so `POST /v1/tokens/verify` cannot verify.",
                charged: "Nothing was done.",
                retry: "No.",
                whatToDo: "Verify at a relay that verifies, or with `payrelay token verify`.")
        }
    }
}
