import ApplePayToken
import Crypto
public import FoundationEssentials
public import PayrelayPrimitives

extension SandboxPKI {
    /// Mints a merchant session in the format of Apple's hosts. As with Apple, the key that signs tokens also
    /// signs the session.
    ///
    /// - Parameters:
    ///   - merchantIdentifier: the merchant identifier. The session contains its SHA-256 in hex.
    ///   - displayName: the name on the pay sheet.
    ///   - domain: the domain of the web site.
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

    /// Returns a detached CMS message. It is not documented what Apple's signature covers; this one covers the
    /// members before it.
    private func sign(_ content: [UInt8], at moment: Date) throws -> [UInt8] {
        let signer = try SignerInfo(
            signing: .apple(over: content, at: moment, signature: .ecdsaWithSHA256), with: leafKey, of: leaf)
        return try SignedData(certificates: [leaf.der(), intermediate.der()], signers: [signer]).ber()
    }
}
