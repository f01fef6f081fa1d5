public import struct FoundationEssentials.Date
public import PayrelayPrimitives

/// The result of verifying a token, check by check.
public struct TokenVerification: Equatable, Sendable {
    /// Every check of ``CheckName`` once, in its order.
    public let checks: [Check]
    /// The signed signing time; nil where no signed attribute states it. Verified only if ``isValid``.
    public let signingTime: Date?
    /// The certificates in the message, in its order. Verified only if ``isValid``.
    public let certificates: [Certificate]
    /// The signer's certificate and the one that issued it; nil where the message lacks either.
    let path: SignerPath?
    /// Whether every check passed. A check that was not reached counts as failed; only those that depend on a setting or on the order
    /// may be left out.
    public let isValid: Bool

    init(checks: [Check], signingTime: Date?, certificates: [Certificate], path: SignerPath?) {
        self.checks = checks
        self.signingTime = signingTime
        self.certificates = certificates
        self.path = path
        isValid =
            checks.lazy.map(\.name).elementsEqual(CheckName.allCases)
            && checks.allSatisfy { $0.verdict == .passed || $0.verdict == .notAsked && $0.name.isOptional }
    }

    /// The signer's own certificate; nil where the message has none.
    public var leaf: Certificate? { path?.leaf }
    /// The certificate that issued the signer's; nil where the message has none.
    public var intermediate: Certificate? { path?.intermediate }

    /// The first check that failed: why the token is refused. nil where it is valid.
    public var firstFailure: Check? {
        checks.first { $0.verdict == .failed }
    }

    /// The check of a name.
    public subscript(name: CheckName) -> Check? {
        checks.first { $0.name == name }
    }
}

extension TokenVerification {
    /// The verdict as programs read it: `valid`, `refusal` (the name of the first check that failed, where one did),
    /// `signing_time` (RFC 3339, where the token states one) and every check. Nothing in it can be charged.
    public var json: JSON {
        var json: JSONObject = ["valid": .bool(isValid)]
        json["refusal"] = firstFailure.map { .string($0.name.rawValue) }
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
