public import PayrelayAPI

/// Payments through a relay: ``RelayClient``, or ``FakeRelay`` in tests and previews. An app whose checkout uses
/// this protocol can be tested without a relay.
///
/// ```swift
/// let payments: any RelayPayments =
///     isPreview ? FakeRelay() : RelayClient(.production(relayURL)) { try await shop.orderToken(for: $0) }
/// ```
public protocol RelayPayments: Sendable {
    /// The same as ``RelayClient/pay(_:with:within:)``.
    func pay(_ order: Order, with token: AppleToken, within limit: TimeLimit) async throws(RelayError) -> PaymentResult

    /// Pays with an order token that the app already has. The payment sheet calls this after its total has
    /// changed.
    ///
    /// - Parameter orderToken: the order token; `nil` to request one, like ``pay(_:with:within:)``. The default
    ///   implementation always requests one.
    func pay(
        _ order: Order, with token: AppleToken, orderToken: String?, within limit: TimeLimit
    ) async throws(RelayError) -> PaymentResult

    /// The same as ``RelayClient/outcome(of:within:)``.
    func outcome(of merchantReference: String, within limit: TimeLimit) async throws(RelayError) -> PaymentResult

    /// The clock that measures time limits, including those of the payment sheet. The default is the device's
    /// clock.
    var clock: any RelayClock { get }
}

extension RelayPayments {
    /// Pays within 25 seconds, the time that Apple's sheet leaves.
    public func pay(_ order: Order, with token: AppleToken) async throws(RelayError) -> PaymentResult {
        try await pay(order, with: token, within: .seconds(25))
    }

    /// Pays with a newly requested order token.
    public func pay(
        _ order: Order, with token: AppleToken, orderToken: String?, within limit: TimeLimit
    ) async throws(RelayError) -> PaymentResult {
        try await pay(order, with: token, within: limit)
    }

    /// Looks up a payment within 60 seconds.
    public func outcome(of merchantReference: String) async throws(RelayError) -> PaymentResult {
        try await outcome(of: merchantReference, within: .seconds(60))
    }

    /// The device's clock.
    public var clock: any RelayClock { SystemClock() }
}
