public import PayrelayAPI

/// Payments by a relay: ``RelayClient``, or in tests and previews ``FakeRelay``. An app whose checkout takes any of them can be tested
/// without a relay.
///
/// ```swift
/// let payments: any RelayPayments = isPreview ? FakeRelay() : RelayClient(.production(relayURL)) { try await shop.orderToken(for: $0) }
/// ```
public protocol RelayPayments: Sendable {
    /// As ``RelayClient/pay(_:with:within:)``.
    func pay(_ order: Order, with token: AppleToken, within limit: TimeLimit) async throws(RelayError) -> PaymentResult

    /// Pays with an order token that the app has already: the payment sheet does so after the total has changed.
    ///
    /// - Parameter orderToken: nil for one that is asked for, as ``pay(_:with:within:)`` does and as this does unless it is implemented.
    func pay(
        _ order: Order, with token: AppleToken, orderToken: String?, within limit: TimeLimit
    ) async throws(RelayError) -> PaymentResult

    /// As ``RelayClient/outcome(of:within:)``.
    func outcome(of merchantReference: String, within limit: TimeLimit) async throws(RelayError) -> PaymentResult

    /// By which time limits are measured, the payment sheet's among them: the device's unless it says otherwise.
    var clock: any RelayClock { get }
}

extension RelayPayments {
    /// Within the 25 seconds that Apple's sheet leaves.
    public func pay(_ order: Order, with token: AppleToken) async throws(RelayError) -> PaymentResult {
        try await pay(order, with: token, within: .seconds(25))
    }

    /// Asks for an order token.
    public func pay(
        _ order: Order, with token: AppleToken, orderToken: String?, within limit: TimeLimit
    ) async throws(RelayError) -> PaymentResult {
        try await pay(order, with: token, within: limit)
    }

    /// Within 60 seconds.
    public func outcome(of merchantReference: String) async throws(RelayError) -> PaymentResult {
        try await outcome(of: merchantReference, within: .seconds(60))
    }

    /// The device's.
    public var clock: any RelayClock { SystemClock() }
}
