import ApplePayToken
package import OrderedJSON

/// A token with everything but its signature. Its parts can be replaced, so that attacks are minted by the same code
/// as honest tokens.
package struct UnsignedToken {
    package var contents: TokenContents
    package var data: [UInt8]
    package var ephemeralPublicKey: [UInt8]
    package var publicKeyHash: [UInt8]
    package var transactionId: [UInt8]
    package var applicationData: [UInt8]?

    /// What Apple signs (step 1.d).
    package var signedContent: [UInt8] {
        ephemeralPublicKey + data + transactionId + (applicationData ?? [])
    }

    /// The token, with this CMS message as its signature.
    package func json(signature: [UInt8]) -> JSON {
        let transactionId = HexText(encoding: transactionId).text
        var header: JSONObject = [
            "publicKeyHash": .string(Base64Text(encoding: publicKeyHash).text),
            "ephemeralPublicKey": .string(Base64Text(encoding: ephemeralPublicKey).text),
            "transactionId": .string(transactionId),
        ]
        header["applicationData"] = applicationData.map { .string(HexText(encoding: $0).text) }
        return [
            "paymentData": [
                "version": "EC_v1",
                "data": .string(Base64Text(encoding: data).text),
                "signature": .string(Base64Text(encoding: signature).text),
                "header": .object(header),
            ],
            "paymentMethod": [
                "displayName": .string(contents.displayName),
                "network": .string(contents.network.rawValue),
                "type": .string(contents.type.rawValue),
            ],
            "transactionIdentifier": .string(transactionId.uppercased()),
        ]
    }
}
