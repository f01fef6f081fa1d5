import HTTPListener
public import HTTPTypes
import NIOHTTP1
public import PayrelayAPI
public import PayrelayPrimitives

/// An error as clients see it: RFC 9457 problem details, `application/problem+json`.
public struct Problem: Error, Sendable {
    /// The status and the title are its.
    public let kind: ProblemKind
    /// What is wrong with this request.
    public let detail: String
    /// Every invalid field, where fields are.
    public var errors: [ValidationError] = []
    /// The token check that refused, by name.
    public var check: String?
    /// After how many seconds the same request may be tried again.
    public var retryAfterSeconds: Int?
    /// The methods that the path does take, where the method was wrong.
    public var allow: String?
    /// How to authenticate, where the client did not (RFC 9110, 11.6.1).
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

    /// The problem as it is answered with.
    var response: WholeResponse {
        var response = WholeResponse(json: json.encoded(), status: status, mediaType: "application/problem+json")
        if let retryAfterSeconds { response.head.headerFields[.retryAfter] = String(retryAfterSeconds) }
        if let allow { response.head.headerFields[.allow] = allow }
        if let challenge { response.head.headerFields[.wwwAuthenticate] = challenge }
        return response
    }
}
