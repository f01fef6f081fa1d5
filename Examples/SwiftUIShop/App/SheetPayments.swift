import Foundation
import PassKit
import PayrelayClient
import ShopCheckout

/// Pays in Apple's sheet, and asks the relay about a payment that is open.
@MainActor final class SheetPayments: PaymentClient {
    private let client: RelayClient
    private let checkout: ApplePayCheckout

    init(_ client: RelayClient, _ checkout: ApplePayCheckout) {
        self.client = client
        self.checkout = checkout
    }

    func pay(_ order: Order) async throws(RelayError) -> PaymentResult? {
        switch try await checkout.pay(order, presenting: request(for: order)) {
        case .paid(let result): result
        case .cancelled: nil
        }
    }

    nonisolated func outcome(of merchantReference: String) async throws(RelayError) -> PaymentResult {
        try await client.outcome(of: merchantReference)
    }

    private func request(for order: Order) -> PKPaymentRequest {
        let request = PKPaymentRequest()
        // Yours, as in the app's entitlements.
        request.merchantIdentifier = "merchant.com.example.shop"
        request.countryCode = "AE"
        request.currencyCode = order.currency.code
        request.supportedNetworks = [.visa, .masterCard, .mada]
        request.merchantCapabilities = .capability3DS
        request.requiredShippingContactFields = [.emailAddress]
        let total = NSDecimalNumber(decimal: order.amount.decimal(in: order.currency))
        request.paymentSummaryItems = [PKPaymentSummaryItem(label: "Example Shop", amount: total)]
        return request
    }
}
