public import PayrelayClient

/// What the checkout needs of payrelay.
public protocol PaymentClient: Sendable {
    func pay(_ order: Order, with token: AppleToken) async throws(RelayError) -> PaymentResult
    func outcome(of merchantReference: String) async throws(RelayError) -> PaymentResult
}

extension RelayClient: PaymentClient {
    public func pay(_ order: Order, with token: AppleToken) async throws(RelayError) -> PaymentResult {
        // Apple's sheet gives up after about 30 seconds.
        try await pay(order, with: token, within: .seconds(25))
    }

    public func outcome(of merchantReference: String) async throws(RelayError) -> PaymentResult {
        try await outcome(of: merchantReference, within: .seconds(60))
    }
}

/// The reference of a payment whose outcome is not known, kept where it outlives the app.
public protocol OpenPayment: AnyObject, Sendable {
    var merchantReference: String? { get set }
}
