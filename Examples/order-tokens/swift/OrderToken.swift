import Crypto
import Foundation

/// A JWK: EC P-256 with its private part, or oct.
struct Key: Decodable {
    let kty: String
    let kid: String
    let d: String?
    let k: String?
}

/// - Parameters:
///   - order: The claims that the token pins.
///   - lifetime: The token's lifetime in seconds.
func orderToken(_ order: [String: Any], key: Key, lifetime: Int = 300) throws -> String {
    let header = ["alg": key.kty == "oct" ? "HS256" : "ES256", "kid": key.kid]
    var claims = order
    claims["aud"] = "payrelay"
    claims["exp"] = Int(Date().timeIntervalSince1970) + lifetime
    let parts = try [header, claims].map { base64URL(try JSONSerialization.data(withJSONObject: $0)) }
    let signed = parts.joined(separator: ".")
    let bytes = Data(signed.utf8)
    if key.kty == "oct" {
        let secret = SymmetricKey(data: try decoded(key.k))
        return "\(signed).\(base64URL(Data(HMAC<SHA256>.authenticationCode(for: bytes, using: secret))))"
    }
    let signer = try P256.Signing.PrivateKey(rawRepresentation: try decoded(key.d))
    return "\(signed).\(base64URL(try signer.signature(for: bytes).rawRepresentation))"
}

func base64URL(_ data: Data) -> String {
    data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
}

/// Returns the 32 bytes of a JWK's member.
func decoded(_ text: String?) throws -> Data {
    let base64 = (text ?? "").replacing("-", with: "+").replacing("_", with: "/") + "="
    guard let data = Data(base64Encoded: base64), data.count == 32 else { throw CocoaError(.coderInvalidValue) }
    return data
}

@main struct OrderToken {
    static func main() throws {
        let file = URL(filePath: ProcessInfo.processInfo.environment["ORDER_TOKEN_KEY_FILE"] ?? "")
        let set = try JSONDecoder().decode([String: [Key]].self, from: Data(contentsOf: file))
        let order = try JSONSerialization.jsonObject(with: FileHandle.standardInput.readToEnd() ?? Data())
        guard let key = set["keys"]?.first, let order = order as? [String: Any] else {
            throw CocoaError(.coderReadCorrupt)
        }
        print(try orderToken(order, key: key))
    }
}
