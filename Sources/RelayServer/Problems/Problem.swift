import HTTPTypes
import Hummingbird
import Primitives
import PaymentRelay

/// An error as clients see it: RFC 9457 problem details, `application/problem+json`.
struct Problem: Error, Sendable {
    /// A stable name for the kind of problem; `urn:payrelay:problem:` stands before it in `type`.
    let slug: String
    let status: HTTPResponse.Status
    /// The kind of problem, in words that do not change.
    let title: String
    /// What is wrong this time.
    let detail: String
    /// Every field at fault, where fields are.
    var faults: [ValidationError] = []
    /// The token check that refused, by name.
    var check: String?
    /// After how many seconds the same request may be tried again.
    var retryAfterSeconds: Int?
    /// The methods that the path does take, where the method was wrong.
    var allow: String?
    /// How to authenticate, where the client did not (RFC 9110, 11.6.1).
    var challenge: String?

    var json: JSON {
        var json: JSONObject = [
            "type": .string("urn:payrelay:problem:\(slug)"),
            "title": .string(title),
            "status": JSON(status.code),
            "detail": .string(detail),
        ]
        json["check"] = check.map { .string($0) }
        if !faults.isEmpty {
            json["errors"] = faults.json
        }
        return .object(json)
    }

    /// The problem as it is answered with.
    var response: Response {
        var response = Response(json: json.encoded(), status: status, mediaType: "application/problem+json")
        if let retryAfterSeconds { response.headers[.retryAfter] = String(retryAfterSeconds) }
        if let allow { response.headers[.allow] = allow }
        if let challenge { response.headers[.wwwAuthenticate] = challenge }
        return response
    }
}
