import Foundation
import Testing

@testable import AccessControl

@Suite struct AuthenticatorTests {
    private let key = APIKey()
    private let issuer = Issuer()

    private func fault(_ authorization: String?, tokens: Bool = true) async throws -> AuthenticationError? {
        let entry = try APIKeyEntry(name: "shop", permission: [.paymentsCreate], key: key)
        let authenticator = Authenticator(
            keys: try APIKeys(parsing: "\(entry)"), tokens: tokens ? try issuer.verifier() : nil)
        do throws(AuthenticationError) {
            _ = try await authenticator.authenticate(authorization: authorization)
            return nil
        } catch {
            return error
        }
    }

    @Test func anAPIKeyOrAJWTAuthenticates() async throws {
        #expect(try await fault("Bearer \(key.exposed)") == nil)
        // RFC 9110, 11.1: the case of the scheme's name does not matter.
        #expect(try await fault("bearer \(key.exposed)") == nil)
        #expect(try await fault("Bearer \(try issuer.es256())") == nil)
    }

    @Test func noOtherCredentialAuthenticates() async throws {
        #expect(try await fault(nil) == .missing)
        for value in [
            "", "Bearer", "Bearer ", key.exposed, "Basic \(key.exposed)", "Bearer a b",
            "Bearer \(key.exposed), Bearer \(key.exposed)", "Bearer,\(key.exposed)",
        ] {
            #expect(try await fault(value) == .notBearer)
        }
        for value in [APIKey().exposed, "payrelay_", "payrelay_\(String(repeating: "A", count: 43))"] {
            #expect(try await fault("Bearer \(value)") == .unknownKey)
        }
        #expect(try await fault("Bearer \(try issuer.es256())", tokens: false) == .unknownKey)
        #expect(try await fault("Bearer \(try Issuer().es256())") == .token(.signature))
    }
}
