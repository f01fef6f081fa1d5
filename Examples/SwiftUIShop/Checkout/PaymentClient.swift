public import PayrelayClient

/// What the checkout needs of payrelay and of Apple's sheet.
public protocol PaymentClient: Sendable {
    /// Shows the sheet for an order, and pays with what the customer authorizes.
    ///
    /// - Parameter shipping: what the customer can choose in the sheet.
    /// - Returns: nil where the customer closed the sheet, and nothing was sent.
    @MainActor func pay(_ order: Order, shipping: [ShippingMethod]) async throws(RelayError) -> PaymentResult?

    func outcome(of merchantReference: String) async throws(RelayError) -> PaymentResult
}

/// The reference of a payment whose outcome is not known, kept where it outlives the app.
public protocol OpenPayment: AnyObject, Sendable {
    var merchantReference: String? { get set }
}
