import AccessControl
import GatewayModule
import PayrelayPrimitives

/// Checks the keys for JWTs at a URL, by fetching them in the same way as the relay.
struct TokenKeysCheck {
    let check: String
    /// The name of the setting with the URL.
    let setting: String
    let url: String

    func diagnostic(_ fetch: (String) async throws -> [UInt8]) async -> Diagnostic {
        let bytes: [UInt8]
        do {
            bytes = try await fetch(url)
        } catch {
            return .fail(
                check, "\(url): \(error)",
                advice: "Look at \(setting). JWTs are refused while the keys cannot be read.")
        }
        guard let keys = try? RemoteKeys.keys(in: bytes) else {
            return .fail(
                check, "\(url) has no JWK Set",
                advice: "It must be a JWK Set (RFC 7517) with public keys; a file may hold PEM, a URL may not.")
        }
        let skipped = keys.skipped.map { "; it \($0)" }.joined()
        guard keys.used > 0 else {
            return .fail(
                check, "\(url) has no key that can be used\(skipped)",
                advice: "It must have a public key for ES256 or RS256.")
        }
        return .pass(check, "\(url) has \(keys.used.counting("key"))\(skipped)")
    }
}
