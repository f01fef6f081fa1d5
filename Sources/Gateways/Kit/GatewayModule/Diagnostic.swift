public import PayrelayPrimitives

/// The result of one diagnostic check.
public struct Diagnostic: Sendable, Equatable {
    public enum Verdict: String, Sendable {
        case pass, fail
        /// The check cannot be decided from this machine.
        case unknown
    }

    /// The name of the check: words joined by hyphens, followed by a colon and the name of an account or a domain
    /// if there is one.
    public let check: String
    public let verdict: Verdict
    /// The observation, for people. It contains no secret.
    public let detail: String
    /// The recommended remedy; `nil` if none is needed.
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
