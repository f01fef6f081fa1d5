/// The checks, in the order in which they are made and reported. The raw values are stable: answers over HTTP
/// contain them.
public enum CheckName: String, CaseIterable, Sendable {
    /// The signature is one CMS SignedData, and nothing follows it.
    case structure
    /// There is exactly one signer, and its certificate is in the message.
    case signer
    /// The certificate that issued the signer's is in the message.
    case certificates
    /// The signer's certificate has Apple's leaf marker.
    case leafMarker
    /// The certificate of the signer's issuer has Apple's intermediate marker.
    case intermediateMarker
    /// The signer's certificate is not a CA's, and its issuer's certificate is.
    case basicConstraints
    /// The signer's certificate allows digitalSignature, and its issuer's keyCertSign.
    case keyUsage
    /// The signed attributes are complete: content type, signing time and message digest.
    case signedAttributes
    /// The algorithms are SHA-256 and the signature algorithm of the token's version.
    case algorithms
    /// The signer's key has the kind of the token's version.
    case signerKey
    /// Signer, intermediate and trust anchor form a valid chain at the signing time.
    case chain
    /// The message does not contain content.
    case detached
    /// The signed digest is the digest of the token's fields.
    case messageDigest
    /// The signer's key made the signature over the signed attributes.
    case signature
    /// The unsigned parts of the message agree with the signed ones, so that OpenSSL's `CMS_verify` would accept
    /// the message with its content, attributes, signature and chain.
    case message
    /// The signing time is close enough to now, before or after.
    case freshness
    /// The signer does not belong to Apple's sandbox. Only checked if the operator rejects sandbox signers.
    case sandboxSigner
    /// The token was encrypted for one of the merchant's certificates. Only checked if the operator configures
    /// them.
    case publicKeyHash
    /// The token was made for the order's payment request. Only checked if the order names the request's hash.
    case applicationData

    /// Whether the check may be left out. Every other check must be made and passed.
    var isOptional: Bool {
        switch self {
        case .sandboxSigner, .publicKeyHash, .applicationData: true
        default: false
        }
    }
}

/// A check and its verdict.
public struct Check: Equatable, Sendable {
    public enum Verdict: String, Sendable {
        case passed
        case failed
        /// The check was not made, because a check on which it depends failed.
        case skipped
        /// The check was not requested: the setting or the field of the order that it needs is absent.
        case notAsked
    }

    public let name: CheckName
    public let verdict: Verdict
    /// The reason for the verdict, for a backend engineer.
    public let detail: String
}

extension Check.Verdict {
    /// The verdict in four characters, for a terminal.
    public var sign: String {
        switch self {
        case .passed: "pass"
        case .failed: "FAIL"
        case .skipped: "skip"
        case .notAsked: "----"
        }
    }
}
