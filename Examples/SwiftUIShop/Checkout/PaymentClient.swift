public import PayrelayClient

/// The operations of payrelay and of Apple's sheet that the checkout needs.
public protocol PaymentClient: Sendable {
    /// Shows the sheet for an order, and pays with what the customer authorizes.
    ///
    /// - Parameter shipping: The shipping methods that the customer can choose in the sheet.
    /// - Returns: The result, or `nil` if the customer closed the sheet and nothing was sent.
    @MainActor func pay(_ order: Order, shipping: [ShippingMethod]) async throws(RelayError) -> PaymentResult?

    func outcome(of merchantReference: String) async throws(RelayError) -> PaymentResult
}

/// The reference of a payment whose outcome is not known, stored where it outlives the app.
public protocol OpenPayment: AnyObject, Sendable {
    var merchantReference: String? { get set }
}
