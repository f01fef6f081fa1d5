/// The checks, in the order they are made and reported. The raw values are stable: they stand in answers over HTTP.
public enum CheckName: String, CaseIterable, Sendable {
    /// The signature is one CMS SignedData and nothing follows it.
    case structure
    /// Exactly one signer, and its certificate is in the message.
    case signer
    /// The certificate that issued the signer's is in the message.
    case certificates
    /// Apple's marker on the signer's own certificate.
    case leafMarker
    /// Apple's marker on the certificate of the signer's issuer.
    case intermediateMarker
    /// The signer's certificate is no authority's, its issuer's is.
    case basicConstraints
    /// The signer's key is for digitalSignature, its issuer's for keyCertSign.
    case keyUsage
    /// The attributes that the signature covers: content type, signing time, message digest.
    case signedAttributes
    /// SHA-256, and the signature algorithm that goes with the token's version.
    case algorithms
    /// The signer's key is of the kind that goes with the token's version.
    case signerKey
    /// Signer, intermediate and trust anchor make a valid chain at the signing time.
    case chain
    /// The message carries no content of its own, beside what the token says.
    case detached
    /// The signed digest is that of the token's fields.
    case messageDigest
    /// The signer's key made the signature over the signed attributes.
    case signature
    /// The unsigned parts of the message agree with the signed ones, so that content, attributes, signature and chain hold together as OpenSSL's
    /// `CMS_verify` asks.
    case message
    /// The signing time lies close enough to now, on either side.
    case freshness
    /// The signer is not one of Apple's sandbox. Asked where the operator refuses those.
    case sandboxSigner
    /// The token was encrypted for one of the merchant's certificates. Asked where the operator names these.
    case publicKeyHash
    /// The token was made for the payment request that the order means. Asked where the order says which.
    case applicationData

    /// Whether the check may go unasked; every other one must be made and passed.
    var isOptional: Bool {
        switch self {
        case .sandboxSigner, .publicKeyHash, .applicationData: true
        default: false
        }
    }
}

/// One check and how it ended.
public struct Check: Equatable, Sendable {
    public enum Verdict: String, Sendable {
        case passed
        case failed
        /// Not reached, because a check that this one builds upon failed.
        case skipped
        /// Not asked for: it needs a setting, or a field of the order, that is absent.
        case notAsked
    }

    public let name: CheckName
    public let verdict: Verdict
    /// The reason, for a backend engineer.
    public let detail: String
}

extension Check.Verdict {
    /// Four characters, as a terminal shows it.
    public var sign: String {
        switch self {
        case .passed: "pass"
        case .failed: "FAIL"
        case .skipped: "skip"
        case .notAsked: "----"
        }
    }
}
