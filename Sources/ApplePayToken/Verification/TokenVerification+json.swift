public import Primitives

extension TokenVerification {
    /// The verdict as programs read it: `valid`, `refusal` (the name of the first check that failed, where one did),
    /// `signing_time` (RFC 3339, where the token states one) and every check. Nothing in it can be charged.
    public var json: JSON {
        var json: JSONObject = ["valid": .bool(isValid)]
        json["refusal"] = refusal.map { .string($0.name.rawValue) }
        json["signing_time"] = signingTime.map { .string($0.rfc3339) }
        json["checks"] = .array(checks.map(\.json))
        return .object(json)
    }
}

extension Check {
    fileprivate var json: JSON {
        ["name": .string(name.rawValue), "verdict": .string(verdict.rawValue), "detail": .string(detail)]
    }
}
