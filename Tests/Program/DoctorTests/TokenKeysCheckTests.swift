import Foundation
import GatewayModule
import PayrelayPrimitives
import Testing

@testable import payrelay

/// The check of the keys at a URL reports the relay's reading of them.
@Suite struct TokenKeysCheckTests {
    /// The key of RFC 7515, A.3.1.
    private static let good =
        #"{"kty":"EC","crv":"P-256","kid":"good","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}"#
    private static let malformed = #"{"kty":"EC","crv":"P-256","kid":"bad","x":"AA","y":"AA"}"#
    private static let shared = #"{"kty":"oct","kid":"shared","k":"AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T"}"#
    /// The good key in a form that a file may have.
    private static let pem = """
        -----BEGIN PUBLIC KEY-----
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEf83OJ3D2xF1Bg8vub9tLe1gHMzV7
        6e8Tus9uPHvRVEXH8UTNG72bfocs3+257rn0s2ldbqkLJK2KRiMohYjlrQ==
        -----END PUBLIC KEY-----
        """

    private static func published(_ keys: String...) -> String { "{\"keys\":[\(keys.joined(separator: ","))]}" }

    private func diagnostic(of text: String) async -> Diagnostic {
        await TokenKeysCheck(check: "jwt-keys", setting: "PAYRELAY_JWT_KEYS_URL", url: "https://keys.example/set")
            .diagnostic { _ in Array(text.utf8) }
    }

    @Test("A set passes with one key that the relay uses, whatever it skips, which is named")
    func oneGoodKey() async {
        let found = await diagnostic(of: Self.published(Self.malformed, Self.good, Self.shared))
        #expect(found.verdict == .pass, "\(found)")
        for word in ["1 key;", "\"bad\"", "\"shared\""] { #expect(found.detail.contains(word), "\(found)") }
        #expect(await diagnostic(of: Self.published(Self.good)).detail == "https://keys.example/set has 1 key")
    }

    @Test(
        "A key set without a usable key fails: PEM, only shared secrets, only malformed keys, nothing",
        arguments: [pem, published(shared), published(malformed), published(), "", "<html>"])
    func noGoodKey(text: String) async {
        #expect(await diagnostic(of: text).verdict == .fail)
    }

    @Test("A URL that cannot be read fails, and the setting is named")
    func unreachable() async {
        struct Away: Error {}
        let found = await TokenKeysCheck(check: "operator-keys", setting: "PAYRELAY_X", url: "https://x.example")
            .diagnostic { _ in throw Away() }
        #expect(found.verdict == .fail && found.check == "operator-keys", "\(found)")
        #expect(found.advice?.contains("PAYRELAY_X") == true)
    }
}
