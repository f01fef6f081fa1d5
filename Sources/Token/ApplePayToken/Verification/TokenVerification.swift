public import PayrelayPrimitives

public import struct FoundationEssentials.Date

/// The result of verifying a token, check by check.
public struct TokenVerification: Equatable, Sendable {
    /// Every check of ``CheckName``, once and in its order.
    public let checks: [Check]
    /// The signed signing time; `nil` if no signed attribute states it. Verified only if ``isValid``.
    public let signingTime: Date?
    /// The certificates in the message, in the message's order. Verified only if ``isValid``.
    public let certificates: [Certificate]
    /// The signer's certificate and the certificate that issued it; `nil` if the message lacks either of them.
    let path: SignerPath?
    /// Whether every check passed. A skipped check counts as failed. Only a check that depends on a setting or on
    /// the order may be left out.
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

    /// The signer's certificate; `nil` if the message lacks it or its issuer.
    public var leaf: Certificate? { path?.leaf }
    /// The certificate that issued the signer's; `nil` if the message lacks it.
    public var intermediate: Certificate? { path?.intermediate }

    /// The first check that failed, for which the token is rejected; `nil` if the token is valid.
    public var firstFailure: Check? {
        checks.first { $0.verdict == .failed }
    }

    /// The check with this name.
    public subscript(name: CheckName) -> Check? {
        checks.first { $0.name == name }
    }
}

extension TokenVerification {
    /// The verdict for programs: `valid`, `refusal` (the name of the first check that failed, if there is one),
    /// `signing_time` (RFC 3339, if the token states one) and every check. Nobody can pay with anything in it.
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
