public import ApplePayToken
import FortAPI
import PayrelayPrimitives
public import ProcessorModule

extension FortModule {
    /// Returns the size of every part of a token that has a field in FORT's request.
    public static func sizes(of token: PaymentToken) -> [TokenFieldSize] {
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
            return TokenFieldSize(field: name, length: text.unicodeScalars.count, limit: limit)
        }
    }
}
