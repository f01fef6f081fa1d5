import Crypto
import CryptoExtras
import FoundationEssentials

/// A key that JWTs are verified with. It is for one algorithm: that which it was published for, not that which a token names.
///
/// Signatures are swift-crypto's to verify. The rest of JOSE is small and stands here because jwt-kit reads it more loosely: it
/// takes a default key where it does not know the `kid`, and several texts for one token.
public struct JWTKey: Sendable {
    enum Material: Sendable {
        case es256(P256.Signing.PublicKey)
        case rs256(_RSA.Signing.PublicKey)
        case hs256(SymmetricKey)
    }

    /// `kid`: a token must have the same one, or none where there is none here.
    let identifier: String?
    /// The only client that its tokens authenticate; nil for any that they name.
    let client: String?
    let material: Material

    /// `alg` (RFC 7518, 3.1).
    var algorithm: String {
        switch material {
        case .es256: "ES256"
        case .rs256: "RS256"
        case .hs256: "HS256"
        }
    }

    /// Whether the signature is one of ECDSA in DER, which most libraries make by themselves and no JWS has.
    func hasDERSignature(_ token: JSONWebToken) -> Bool {
        guard case .es256 = material else { return false }
        return (try? P256.Signing.ECDSASignature(derRepresentation: token.signature)) != nil
    }

    /// Whether this key made the token's signature.
    func verifies(_ token: JSONWebToken) -> Bool {
        switch material {
        case .es256(let key):
            // R and S side by side (RFC 7518, 3.4); another length throws.
            guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: token.signature) else {
                return false
            }
            return key.isValidSignature(signature, for: token.signedBytes)
        case .rs256(let key):
            let signature = _RSA.Signing.RSASignature(rawRepresentation: token.signature)
            return key.isValidSignature(
                signature, for: SHA256.hash(data: token.signedBytes), padding: .insecurePKCS1v1_5)
        case .hs256(let key):
            // Compared in constant time.
            return HMAC<SHA256>.isValidAuthenticationCode(
                token.signature, authenticating: token.signedBytes, using: key)
        }
    }
}
