import JWTKit

/// A key that tokens are verified with. It is for one algorithm: that which it was published for, not that which a token names.
public struct JWTKey: Sendable {
    enum Material: Sendable {
        case es256(ES256PublicKey)
        case rs256(Insecure.RSA.PublicKey)
        case hs256(HMACKey)
    }

    /// `kid`: a token must have the same one, or none where there is none here.
    let identifier: String?
    /// The only client that its tokens can speak for; nil for whichever they name.
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

    func signed(_ token: JSONWebToken) async -> Bool {
        // A collection of one key: in one of several, JWTKit takes a default where it does not know the kid.
        let collection = JWTKeyCollection()
        switch material {
        case .es256(let key): await collection.add(ecdsa: key)
        case .rs256(let key): await collection.add(rsa: key, digestAlgorithm: .sha256)
        case .hs256(let key): await collection.add(hmac: key, digestAlgorithm: .sha256)
        }
        guard let algorithm = try? await collection.getKey(), algorithm.name == self.algorithm else { return false }
        return (try? algorithm.verify(token.signature, signs: token.signedBytes)) ?? false
    }
}
