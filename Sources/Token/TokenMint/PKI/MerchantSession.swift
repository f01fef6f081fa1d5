import ApplePayToken
import Crypto
public import FoundationEssentials
public import PayrelayPrimitives

extension SandboxPKI {
    /// Mints a merchant session as Apple's hosts answer it. Its signature comes, like Apple's, from the key that signs tokens.
    ///
    /// - Parameters:
    ///   - merchantIdentifier: the session carries its SHA-256 in hex.
    ///   - displayName: what the pay sheet shows.
    ///   - domain: the web site's.
    /// - Throws: the error of the cryptographic library.
    public func session(
        merchantIdentifier: String, displayName: String, domain: String, at moment: Date
    ) throws -> JSON {
        let milliseconds = Int64(moment.timeIntervalSince1970 * 1_000)
        let nonce = (0..<4).map { _ in UInt8.random(in: .min ... .max) }
        let hash = HexText(encoding: Array(SHA256.hash(data: Array(merchantIdentifier.utf8)))).text.uppercasedASCII
        var session: JSONObject = [
            "epochTimestamp": JSON(milliseconds),
            "expiresAt": JSON(milliseconds + 3_600_000),
            "merchantSessionIdentifier": .string("SSH" + UUID().uuidString.replacingEach("-", with: "") + "_" + hash),
            "nonce": .string(HexText(encoding: nonce).text),
            "merchantIdentifier": .string(hash),
            "domainName": .string(domain),
            "displayName": .string(displayName),
        ]
        session["signature"] = .string(HexText(encoding: try sign(JSON.object(session).encoded(), at: moment)).text)
        session["operationalAnalyticsIdentifier"] = .string("\(displayName):\(hash)")
        session["retries"] = 0
        session["pspId"] = .string(hash)
        return .object(session)
    }

    /// A detached CMS message. What Apple's covers is not documented; this one covers the members before it.
    private func sign(_ content: [UInt8], at moment: Date) throws -> [UInt8] {
        let signer = try SignerInfo(
            signing: .apple(over: content, at: moment, signature: .ecdsaWithSHA256), with: leafKey, of: leaf)
        return try SignedData(certificates: [leaf.der(), intermediate.der()], signers: [signer]).ber()
    }
}
