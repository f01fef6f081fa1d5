import Foundation
import PassKit
import PayrelayClient
import ShopCheckout

/// Pays in Apple's sheet, where the customer also chooses the shipping method, and queries the relay about an open payment.
@MainActor final class SheetPayments: PaymentClient {
    private let client: RelayClient
    private let checkout: ApplePayCheckout
    private let backend: any ShopBackend

    init(_ client: RelayClient, _ checkout: ApplePayCheckout, _ backend: any ShopBackend) {
        self.client = client
        self.checkout = checkout
        self.backend = backend
    }

    func pay(_ order: Order, shipping: [ShippingMethod]) async throws(RelayError) -> PaymentResult? {
        let request = request(for: order, shipping)
        let outcome = try await checkout.pay(order, presenting: request) { [backend] selection in
            let method = selection.shippingMethod ?? shipping.first?.id
            let quote = try await backend.quote(order.merchantReference, shipping: method)
            guard let amount = MinorUnits(quote.amount) else { throw URLError(.badServerResponse) }
            return SheetUpdate(amount: amount, orderToken: quote.orderToken)
        }
        switch outcome {
        case .paid(let result): return result
        case .cancelled: return nil
        }
    }

    nonisolated func outcome(of merchantReference: String) async throws(RelayError) -> PaymentResult {
        try await client.outcome(of: merchantReference)
    }

    private func request(for order: Order, _ shipping: [ShippingMethod]) -> PKPaymentRequest {
        let request = PKPaymentRequest()
        // Replace this with the identifier in your app's entitlements.
        request.merchantIdentifier = "merchant.com.example.shop"
        request.countryCode = "AE"
        request.currencyCode = order.currency.code
        request.supportedNetworks = [.visa, .masterCard, .mada]
        request.merchantCapabilities = .capability3DS
        request.requiredShippingContactFields = [.emailAddress]
        request.shippingMethods = shipping.map { method in
            let price = (MinorUnits(method.amount) ?? 0).decimal(in: order.currency)
            let shown = PKShippingMethod(label: method.label, amount: NSDecimalNumber(decimal: price))
            shown.identifier = method.id
            shown.detail = ""
            return shown
        }
        let total = NSDecimalNumber(decimal: order.amount.decimal(in: order.currency))
        request.paymentSummaryItems = [PKPaymentSummaryItem(label: "Example Shop", amount: total)]
        return request
    }
}
