import PayrelayClient

/// The steps of a checkout, without its views.
///
/// A payment that may have been charged is never offered a second time, even if the app ends in between: its reference is
/// stored before the request is sent, and removed once the outcome is known.
@MainActor public final class CheckoutModel {
    public enum State: Sendable, Hashable {
        case choosing
        case ordering
        /// The sheet may be shown for this order.
        case ready(ShopOrder)
        case paying(ShopOrder)
        /// The payment may have been made. The app queries its outcome and offers no other payment.
        case checking(merchantReference: String)
        case paid(merchantReference: String)
        /// Nothing was charged. Another card needs another order.
        case declined
    }

    public private(set) var state = State.choosing { didSet { onChange() } }
    /// Why the last step failed. The failed step charged nothing.
    public private(set) var failure: String? { didSet { onChange() } }
    /// A callback with which views learn of changes.
    public var onChange: @MainActor () -> Void = {}

    private let backend: any ShopBackend
    private let payments: any PaymentClient
    private let open: any OpenPayment
    /// Whether the order was refused because a payment that the relay does not show to the app has its reference, or its token.
    private var isTaken = false

    public init(backend: any ShopBackend, payments: any PaymentClient, open: any OpenPayment) {
        self.backend = backend
        self.payments = payments
        self.open = open
        if let reference = open.merchantReference { state = .checking(merchantReference: reference) }
    }

    /// Orders products by their identifiers and counts.
    public func order(_ items: [String: Int]) async {
        switch state {
        // A stored payment may still be made: the customer must pay this order and no other.
        case .ready where open.merchantReference != nil: return
        case .choosing, .ready, .declined, .paid: break
        case .ordering, .paying, .checking: return
        }
        state = .ordering
        do {
            state = .ready(try await backend.order(items))
            failure = nil
        } catch {
            state = .choosing
            failure = "The order could not be made."
        }
    }

    /// Shows the sheet and pays the order.
    public func pay() async {
        guard case .ready(let shopOrder) = state else { return }
        state = .paying(shopOrder)
        // An earlier sheet may have chosen another shipping method.
        let first = shopOrder.shippingMethods.first?.id
        let quote = try? await backend.quote(shopOrder.merchantReference, shipping: first)
        guard let amount = quote.flatMap({ MinorUnits($0.amount) }), let currency = Currency(code: shopOrder.currency)
        else {
            state = .ready(shopOrder)
            failure = "The order has no amount that can be paid."
            return
        }
        // The sheet asks for the email address.
        let order = Order(shopOrder.merchantReference, amount: amount, currency: currency, customerEmail: "")
        failure = nil
        isTaken = false
        // An earlier request for this order may be on its way. Its reference stays stored, whatever happens to this request.
        let earlier = open.merchantReference
        open.merchantReference = order.merchantReference
        do throws(RelayError) {
            if let result = try await payments.pay(order, shipping: shopOrder.shippingMethods) {
                settle(result, of: order.merchantReference)
            } else {
                open.merchantReference = earlier
                state = .ready(shopOrder)
            }
        } catch {
            isTaken = error == .referenceTaken(by: nil) || error == .tokenUsed
            if case .referenceTaken = error, !error.mayHaveBeenCharged {
                // An earlier payment of this order failed.
                open.merchantReference = nil
                state = .declined
            } else if error.mayHaveBeenCharged {
                state = .checking(merchantReference: order.merchantReference)
            } else {
                open.merchantReference = earlier
                state = .ready(shopOrder)
                failure = "\(error)"
            }
        }
    }

    /// Queries the outcome of a payment whose outcome is not known: when the app starts, and when the customer tries again.
    public func check() async {
        guard case .checking(let reference) = state else { return }
        do throws(RelayError) {
            let result = try await payments.outcome(of: reference)
            // Nothing was sent to the gateway yet, but the request may still arrive. Treat the payment as one that the relay
            // does not know.
            if result.receipt?.outcome == .notSent { throw RelayError.noSuchPayment }
            failure = nil
            settle(result, of: reference)
        } catch {
            let order = try? await backend.order(withReference: reference)
            if let order, order.isShipped {
                // The backend knows what the relay does not show to an app.
                open.merchantReference = nil
                state = .paid(merchantReference: reference)
                failure = nil
            } else if case .noSuchPayment = error, !isTaken, let order {
                // The payment's request may be on its way. Under the same reference the relay charges once.
                state = .ready(order)
                failure = "The shop has no payment of this order. It can be paid again."
            } else {
                failure = "The payment could not be checked yet."
            }
        }
    }

    private func settle(_ result: PaymentResult, of reference: String) {
        switch result {
        case .uncertain:
            state = .checking(merchantReference: reference)
            return
        case .authorized, .captured: state = .paid(merchantReference: reference)
        case .declined: state = .declined
        case .notProcessed, .returned:
            state = .choosing
            failure = "The order was not paid. Nothing is charged."
        }
        open.merchantReference = nil
    }
}
