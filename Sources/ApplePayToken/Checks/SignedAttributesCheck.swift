import PayrelayPrimitives
import struct FoundationEssentials.Date

/// The attributes that the signature covers, as the checks need them.
struct SignedAttributes {
    let signingTime: Date
    let messageDigest: [UInt8]
    /// RFC 6211, in DER; tokens before 2017 have none.
    let algorithmProtection: [UInt8]?
}

/// The signed attributes must be there, each type once and with one value (RFC 5652, 5.3 and 11): contentType `data`,
/// messageDigest, signingTime. Found by type: their order changed over the years.
enum SignedAttributesCheck {
    private static let dataInDER: [UInt8] = [
        0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x01,
    ]

    static func judge(_ signer: Signer) throws(CheckFailure) -> CheckResult<SignedAttributes> {
        guard !signer.signedAttributes.isEmpty else { throw CheckFailure("the signer signed no attributes") }
        guard Set(signer.signedAttributes.map(\.type)).count == signer.signedAttributes.count else {
            throw CheckFailure("a signed attribute stands twice")
        }
        guard try value(ObjectIdentifiers.contentType, "contentType", in: signer) == dataInDER else {
            throw CheckFailure("the signed contentType is not data")
        }
        guard let time = try value(ObjectIdentifiers.signingTime, "signingTime", in: signer) else {
            throw CheckFailure("there is no signed signingTime")
        }
        guard let signingTime = ASN1Time.date(time[...]) else {
            throw CheckFailure("the signed signingTime is not a time in UTC with seconds")
        }
        guard let digest = try value(ObjectIdentifiers.messageDigest, "messageDigest", in: signer) else {
            throw CheckFailure("there is no signed messageDigest")
        }
        guard let messageDigest = DER.content(of: digest, tag: 0x04) else {
            throw CheckFailure("the signed messageDigest is not an octet string")
        }
        let protection = try value(ObjectIdentifiers.cmsAlgorithmProtection, "CMSAlgorithmProtection", in: signer)
        return CheckResult(
            SignedAttributes(
                signingTime: signingTime, messageDigest: messageDigest, algorithmProtection: protection),
            detail(signingTime))
    }

    static func detail(_ signingTime: Date) -> String {
        "contentType data, messageDigest and signingTime \(signingTime.rfc3339)"
    }

    private static func value(_ type: String, _ name: String, in signer: Signer) throws(CheckFailure) -> [UInt8]? {
        guard let attribute = signer.signedAttributes.first(where: { $0.type == type }) else { return nil }
        guard attribute.values.count == 1 else { throw CheckFailure("the signed \(name) has not exactly one value") }
        return attribute.values[0]
    }
}
