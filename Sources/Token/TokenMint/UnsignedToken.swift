package import ApplePayToken
import Crypto
package import PayrelayPrimitives

/// A token without its signature. Its parts can be replaced, so that attacks are minted by the same code as
/// honest tokens.
package struct UnsignedToken {
    package var version: PaymentToken.Version
    package var contents: TokenContents
    package var data: [UInt8]
    /// The `ephemeralPublicKey` of EC_v1, or the `wrappedKey` of RSA_v1.
    package var key: [UInt8]
    package var publicKeyHash: [UInt8]
    package var transactionId: [UInt8]
    package var applicationData: [UInt8]?

    /// Creates the token of a new payment.
    ///
    /// - Parameter merchantKey: the merchant's public key in DER.
    /// - Throws: ``TokenMintError/applicationDataIsNoSHA256``
    init(
        version: PaymentToken.Version, contents: TokenContents, data: [UInt8], key: [UInt8], merchantKey: [UInt8],
        applicationData: [UInt8]?
    ) throws(TokenMintError) {
        guard applicationData == nil || applicationData?.count == SHA256.byteCount else {
            throw .applicationDataIsNoSHA256
        }
        self.version = version
        self.contents = contents
        self.data = data
        self.key = key
        publicKeyHash = Array(SHA256.hash(data: merchantKey))
        transactionId = (0..<32).map { _ in UInt8.random(in: .min ... .max) }
        self.applicationData = applicationData
    }

    /// The bytes that Apple signs (step 1.d): the key, the data, the transaction identifier and the application
    /// data.
    package var signedContent: [UInt8] {
        key + data + transactionId + (applicationData ?? [])
    }

    /// Returns the token with this CMS message as its signature.
    package func json(signature: [UInt8]) -> JSON {
        let transactionId = HexText(encoding: transactionId).text
        var header: JSONObject = [
            "publicKeyHash": .string(Base64Text(encoding: publicKeyHash).text),
            version == .ecV1 ? "ephemeralPublicKey" : "wrappedKey": .string(Base64Text(encoding: key).text),
            "transactionId": .string(transactionId),
        ]
        header["applicationData"] = applicationData.map { .string(HexText(encoding: $0).text) }
        return [
            "paymentData": [
                "version": .string(version.rawValue),
                "data": .string(Base64Text(encoding: data).text),
                "signature": .string(Base64Text(encoding: signature).text),
                "header": .object(header),
            ],
            "paymentMethod": [
                "displayName": .string(contents.displayName),
                "network": .string(contents.network.rawValue),
                "type": .string(contents.type.rawValue),
            ],
            "transactionIdentifier": .string(transactionId.uppercasedASCII),
        ]
    }
}
