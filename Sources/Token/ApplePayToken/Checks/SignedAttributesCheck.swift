import PayrelayPrimitives

import struct FoundationEssentials.Date

/// The signed attributes that later checks need.
struct SignedAttributes {
    let signingTime: Date
    let messageDigest: ArraySlice<UInt8>
    /// CMSAlgorithmProtection (RFC 6211) in DER; `nil` in tokens from before 2017.
    let algorithmProtection: ArraySlice<UInt8>?
}

/// Checks the signed attributes (RFC 5652, 5.3 and 11):
/// - each type occurs once, with one value;
/// - contentType is `data`, and messageDigest and signingTime are present;
/// - there is no countersignature.
///
/// The attributes are found by type, because their order has changed over the years.
enum SignedAttributesCheck {
    static func judge(_ signer: Signer) throws(CheckFailure) -> CheckResult<SignedAttributes> {
        guard !signer.signedAttributes.isEmpty else { throw CheckFailure("the signer signed no attributes") }
        let types = signer.signedAttributes.map(\.type)
        guard types.indices.allSatisfy({ !types[..<$0].contains(types[$0]) }) else {
            throw CheckFailure("a signed attribute occurs twice")
        }
        guard try value(MessageIdentifiers.contentType, "contentType", in: signer) == MessageIdentifiers.data[...]
        else {
            throw CheckFailure("the signed contentType is not data")
        }
        guard let time = try value(MessageIdentifiers.signingTime, "signingTime", in: signer) else {
            throw CheckFailure("there is no signed signingTime")
        }
        guard let signingTime = ASN1Time.date(time) else {
            throw CheckFailure("the signed signingTime is not a time in UTC with seconds")
        }
        guard let digest = try value(MessageIdentifiers.messageDigest, "messageDigest", in: signer) else {
            throw CheckFailure("there is no signed messageDigest")
        }
        // The content is shorter than 128 bytes, so two bytes precede it: the tag and the length.
        // ``MessageDigestCheck`` compares the length together with the content.
        guard digest.first == 0x04, digest.count < 0x82 else {
            throw CheckFailure("the signed messageDigest is not an octet string")
        }
        // RFC 5652, 11.4: a countersignature must be an unsigned attribute.
        guard try value(MessageIdentifiers.countersignature, "countersignature", in: signer) == nil else {
            throw CheckFailure("a countersignature is among the signed attributes")
        }
        let protection = try value(MessageIdentifiers.cmsAlgorithmProtection, "CMSAlgorithmProtection", in: signer)
        return CheckResult(
            SignedAttributes(
                signingTime: signingTime, messageDigest: digest.dropFirst(2), algorithmProtection: protection),
            "contentType data, messageDigest and signingTime \(signingTime.rfc3339)")
    }

    private static func value(
        _ type: [UInt8], _ name: String, in signer: Signer
    ) throws(CheckFailure) -> ArraySlice<UInt8>? {
        guard let attribute = signer.signedAttributes.first(where: { $0.type.elementsEqual(type) }) else { return nil }
        guard let value = attribute.value else { throw CheckFailure("the signed \(name) has not exactly one value") }
        return value
    }
}
