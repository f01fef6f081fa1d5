import Primitives

extension ValidationError {
    /// An error of FORT's field, under the path that the field has in our request: the token's parts keep Apple's paths.
    var underRequestPath: ValidationError {
        ValidationError(field: Self.paths[field] ?? field, detail: detail)
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
