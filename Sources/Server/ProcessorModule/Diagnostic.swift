public import PayrelayPrimitives

/// One line of an examination.
public struct Diagnostic: Sendable, Equatable {
    public enum Verdict: String, Sendable {
        case pass, fail
        /// The examination cannot see it from here.
        case unknown
    }

    /// What was looked at, in words with hyphens; an account's or a domain's name stands after a colon.
    public let check: String
    public let verdict: Verdict
    /// What was found. It holds no secret.
    public let detail: String
    /// What to do about it; nil where there is nothing to do.
    public let advice: String?

    public init(_ check: String, _ verdict: Verdict, _ detail: String, advice: String? = nil) {
        self.check = check
        self.verdict = verdict
        self.detail = detail
        self.advice = advice
    }

    package static func pass(_ check: String, _ detail: String) -> Diagnostic { Diagnostic(check, .pass, detail) }

    package static func fail(_ check: String, _ detail: String, advice: String?) -> Diagnostic {
        Diagnostic(check, .fail, detail, advice: advice)
    }

    package static func unknown(_ check: String, _ detail: String, advice: String?) -> Diagnostic {
        Diagnostic(check, .unknown, detail, advice: advice)
    }

    public var json: JSON {
        var object: JSONObject = [
            "check": .string(check), "verdict": .string(verdict.rawValue), "detail": .string(detail),
        ]
        object["advice"] = advice.map { .string($0) }
        return .object(object)
    }
}
