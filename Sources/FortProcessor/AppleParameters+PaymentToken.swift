import Primitives
import ApplePayToken
import FortAPI

extension AppleParameters {
    /// The token's parts for FORT, as Apple wrote them; nil for RSA_v1, which has no ephemeral key.
    init?(_ token: PaymentToken) {
        guard let ephemeralPublicKey = token.header.ephemeralPublicKey else { return nil }
        self.init(
            data: token.data.text, signature: token.signature.text, transactionId: token.header.transactionId.text,
            ephemeralPublicKey: ephemeralPublicKey.text, publicKeyHash: token.header.publicKeyHash.text,
            applicationData: token.header.applicationData?.text, displayName: token.paymentMethod?.displayName,
            network: token.paymentMethod?.network, type: token.paymentMethod?.type?.rawValue)
    }
}
