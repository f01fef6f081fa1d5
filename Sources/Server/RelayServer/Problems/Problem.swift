import HTTPListener
public import HTTPTypes
import NIOHTTP1
public import PayrelayAPI
public import PayrelayPrimitives

/// An error as clients see it: RFC 9457 problem details, `application/problem+json`.
public struct Problem: Error, Sendable {
    /// The kind, which determines the status and the title.
    public let kind: ProblemKind
    /// The explanation of this occurrence (RFC 9457, 3.1.4).
    public let detail: String
    /// Every invalid field, if the problem is about fields.
    public var errors: [ValidationError] = []
    /// The name of the token check that failed.
    public var check: String?
    /// The number of seconds after which the same request may be sent again.
    public var retryAfterSeconds: Int?
    /// The methods that the path supports, if the method is not one of them.
    public var allow: String?
    /// The authentication challenge, if the client did not authenticate (RFC 9110, 11.6.1).
    public var challenge: String?

    public init(
        _ kind: ProblemKind, _ detail: String, errors: [ValidationError] = [],
        check: String? = nil, retryAfterSeconds: Int? = nil, allow: String? = nil, challenge: String? = nil
    ) {
        self.kind = kind
        self.detail = detail
        self.errors = errors
        self.check = check
        self.retryAfterSeconds = retryAfterSeconds
        self.allow = allow
        self.challenge = challenge
    }

    public var status: HTTPResponse.Status {
        .init(code: kind.status, reasonPhrase: HTTPResponseStatus(statusCode: kind.status).reasonPhrase)
    }

    var json: JSON { ProblemDocument(kind, detail, check: check, errors: errors).json }

    /// The problem as a response.
    var answer: Answer {
        var answer = Answer(json: json.encoded(), status: status, mediaType: "application/problem+json")
        if let retryAfterSeconds { answer.head.headerFields[.retryAfter] = String(retryAfterSeconds) }
        if let allow { answer.head.headerFields[.allow] = allow }
        if let challenge { answer.head.headerFields[.wwwAuthenticate] = challenge }
        return answer
    }
}
