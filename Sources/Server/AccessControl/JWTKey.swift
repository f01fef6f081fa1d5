import Crypto
import CryptoExtras
import FoundationEssentials

/// A key for verifying JWTs. It verifies only the algorithm that it was published for, whatever algorithm a token
/// names.
///
/// swift-crypto verifies the signatures. The rest of JOSE is implemented here because it is small and jwt-kit is
/// more lenient: if it does not know the `kid`, it uses a default key, and it accepts several encodings of the
/// same token.
public struct JWTKey: Sendable {
    enum Material: Sendable {
        case es256(P256.Signing.PublicKey)
        case rs256(_RSA.Signing.PublicKey)
        case hs256(SymmetricKey)
    }

    /// The `kid`. A token must have the same `kid`, or none if the key has none.
    let identifier: String?
    /// The only client that tokens of this key authenticate; `nil` if a token may name any client.
    let client: String?
    let material: Material

    /// The `alg` (RFC 7518, 3.1).
    var algorithm: String {
        switch material {
        case .es256: "ES256"
        case .rs256: "RS256"
        case .hs256: "HS256"
        }
    }

    /// Whether the signature is an ECDSA signature in DER. Most libraries produce that form by default, but JWS
    /// does not allow it.
    func hasDERSignature(_ token: JSONWebToken) -> Bool {
        guard case .es256 = material else { return false }
        return (try? P256.Signing.ECDSASignature(derRepresentation: token.signature)) != nil
    }

    /// Whether the token was signed with this key.
    func verifies(_ token: JSONWebToken) -> Bool {
        switch material {
        case .es256(let key):
            // R and S concatenated (RFC 7518, 3.4). Another length throws.
            guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: token.signature) else {
                return false
            }
            return key.isValidSignature(signature, for: token.signedBytes)
        case .rs256(let key):
            let signature = _RSA.Signing.RSASignature(rawRepresentation: token.signature)
            return key.isValidSignature(
                signature, for: SHA256.hash(data: token.signedBytes), padding: .insecurePKCS1v1_5)
        case .hs256(let key):
            // swift-crypto compares in constant time.
            return HMAC<SHA256>.isValidAuthenticationCode(
                token.signature, authenticating: token.signedBytes, using: key)
        }
    }
}
