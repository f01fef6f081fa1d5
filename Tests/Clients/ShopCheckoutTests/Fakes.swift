import PayrelayClient
import ShopCheckout
import Synchronization

/// A backend with one order.
final class OneOrderBackend: ShopBackend {
    static let shopOrder = ShopOrder(
        merchantReference: "ORDER-1001", amount: 10_000, currency: "AED", shippingMethods: [])

    struct Failure: Error {}

    private let made: ShopOrder?

    /// - Parameter made: The order to return, or `nil` for a backend that cannot make orders.
    init(_ made: ShopOrder? = shopOrder) {
        self.made = made
    }

    func products() async throws -> [Product] { [] }

    func order(_ items: [String: Int]) async throws -> ShopOrder {
        guard let made else { throw Failure() }
        return made
    }

    func order(withReference merchantReference: String) async throws -> ShopOrder { try await order([:]) }

    func orderToken(for merchantReference: String) async throws -> String { "token" }

    func quote(_ merchantReference: String, shipping: String?) async throws -> ShopQuote {
        guard let made else { throw Failure() }
        return ShopQuote(amount: made.amount, orderToken: "token")
    }
}

/// A payment client that answers by a script, and records its requests.
final class ScriptedPayments: PaymentClient {
    typealias Answer = Result<PaymentResult, RelayError>

    private let script: Mutex<[Answer]>
    private let log = Mutex<[String]>([])
    /// Whether an answer that the request was cancelled means that the customer closed the sheet.
    private let closesTheSheet: Bool
    /// The callback that is called when a request arrives.
    private let onRequest: @Sendable () -> Void

    init(_ script: [Answer], closesTheSheet: Bool = false, onRequest: @escaping @Sendable () -> Void = {}) {
        self.script = Mutex(script)
        self.closesTheSheet = closesTheSheet
        self.onRequest = onRequest
    }

    /// The requests in order.
    var requests: [String] { log.withLock { $0 } }

    func pay(_ order: Order, shipping: [ShippingMethod]) async throws(RelayError) -> PaymentResult? {
        switch answer("pay \(order)") {
        case .failure(.cancelled(mayHaveBeenSent: false)) where closesTheSheet: nil
        case let answer: try answer.get()
        }
    }

    func outcome(of merchantReference: String) async throws(RelayError) -> PaymentResult {
        try answer("outcome \(merchantReference)").get()
    }

    private func answer(_ request: String) -> Answer {
        onRequest()
        log.withLock { $0.append(request) }
        return script.withLock { $0.isEmpty ? .failure(.noAnswer) : $0.removeFirst() }
    }
}

/// The stored reference, which outlives a model.
final class RememberedPayment: OpenPayment {
    private let reference: Mutex<String?>

    init(_ reference: String? = nil) {
        self.reference = Mutex(reference)
    }

    var merchantReference: String? {
        get { reference.withLock { $0 } }
        set { reference.withLock { $0 = newValue } }
    }
}

/// Returns a payment as the relay reports it.
func payment(_ outcome: String) throws -> PaymentResult {
    let document: JSON = [
        "merchant_reference": "ORDER-1001", "command": "PURCHASE", "outcome": .string(outcome), "amount": 10_000,
        "currency": "AED",
    ]
    return PaymentResult(try PaymentDocument(parsing: document.encoded()))
}

extension CheckoutModel {
    /// - Returns: Whether the order is paid afterwards.
    func pays() async -> Bool {
        await pay()
        if case .paid = state { return true }
        return false
    }
}
