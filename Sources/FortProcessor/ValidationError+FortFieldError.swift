import FortAPI
import PaymentRelay

extension ValidationError {
    /// A fault of FORT's field, under the name that it has in our request: the token's parts keep Apple's paths.
    init(_ fault: FortFieldError) {
        self.init(field: Self.paths[fault.field] ?? fault.field, detail: fault.detail)
    }

    private static let paths = [
        "apple_data": "token.paymentData.data",
        "apple_signature": "token.paymentData.signature",
        "apple_transactionId": "token.paymentData.header.transactionId",
        "apple_ephemeralPublicKey": "token.paymentData.header.ephemeralPublicKey",
        "apple_publicKeyHash": "token.paymentData.header.publicKeyHash",
        "apple_applicationData": "token.paymentData.header.applicationData",
        "apple_displayName": "token.paymentMethod.displayName",
        "apple_network": "token.paymentMethod.network",
        "apple_type": "token.paymentMethod.type",
    ]
}
