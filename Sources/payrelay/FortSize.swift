import ApplePayToken
import FortAPI
import Primitives

/// The length of a text that goes to FORT against FORT's documented limit, both in characters.
struct FortSize {
    /// FORT's name.
    let field: String
    let length: Int
    let limit: Int

    var fits: Bool { length <= limit }

    var json: JSON {
        ["field": .string(field), "length": JSON(length), "limit": JSON(limit), "fits": .bool(fits)]
    }

    /// Those of every part of a token that FORT's request has a field for.
    static func all(of token: PaymentToken) -> [FortSize] {
        let texts = [
            ("apple_data", token.data.text), ("apple_signature", token.signature.text),
            ("apple_ephemeralPublicKey", token.header.ephemeralPublicKey?.text),
            ("apple_publicKeyHash", token.header.publicKeyHash.text),
            ("apple_transactionId", token.header.transactionId.text),
            ("apple_applicationData", token.header.applicationData?.text),
            ("apple_displayName", token.paymentMethod?.displayName), ("apple_network", token.paymentMethod?.network),
            ("apple_type", token.paymentMethod?.type?.rawValue),
        ]
        return texts.compactMap { name, text in
            guard let text, let limit = FortField.named(name)?.maximumLength else { return nil }
            return FortSize(field: name, length: text.unicodeScalars.count, limit: limit)
        }
    }
}
