import PassKit
import PayrelayClient
import ShopCheckout

/// Shows Apple's sheet for an order, and pays with what the customer authorizes.
@MainActor final class ApplePaySheet: NSObject, PKPaymentAuthorizationControllerDelegate {
    private var model: CheckoutModel?

    func show(_ order: ShopOrder, for model: CheckoutModel) {
        guard let amount = MinorUnits(order.amount), let currency = Currency(code: order.currency) else { return }
        self.model = model
        let request = PKPaymentRequest()
        // Yours, as in the app's entitlements.
        request.merchantIdentifier = "merchant.com.example.shop"
        request.countryCode = "AE"
        request.currencyCode = order.currency
        request.supportedNetworks = [.visa, .masterCard, .mada]
        request.merchantCapabilities = .capability3DS
        request.requiredShippingContactFields = [.emailAddress]
        let total = NSDecimalNumber(decimal: amount.decimal(in: currency))
        request.paymentSummaryItems = [PKPaymentSummaryItem(label: "Example Shop", amount: total)]
        let controller = PKPaymentAuthorizationController(paymentRequest: request)
        controller.delegate = self
        controller.present(completion: nil)
    }

    nonisolated func paymentAuthorizationController(
        _ controller: PKPaymentAuthorizationController, didAuthorizePayment payment: PKPayment,
        handler completion: @escaping (PKPaymentAuthorizationResult) -> Void
    ) {
        let token = try? AppleToken(payment.token)
        let email = payment.shippingContact?.emailAddress ?? ""
        // PassKit calls it once, on whatever thread; what it is given is made here.
        let complete = UncheckedCompletion(completion)
        Task { @MainActor in
            var isPaid = false
            if let token, let model { isPaid = await model.pay(with: token, email: email) }
            complete.call(PKPaymentAuthorizationResult(status: isPaid ? .success : .failure, errors: nil))
        }
    }

    nonisolated func paymentAuthorizationControllerDidFinish(_ controller: PKPaymentAuthorizationController) {
        controller.dismiss(completion: nil)
    }
}

/// PassKit's completion handler may be called on any thread, which its type does not say.
private struct UncheckedCompletion: @unchecked Sendable {
    let call: (PKPaymentAuthorizationResult) -> Void

    init(_ call: @escaping (PKPaymentAuthorizationResult) -> Void) {
        self.call = call
    }
}

extension AppleToken {
    init(_ token: PKPaymentToken) throws {
        let type: String? =
            switch token.paymentMethod.type {
            case .debit: "debit"
            case .credit: "credit"
            case .prepaid: "prepaid"
            case .store: "store"
            default: nil
            }
        try self.init(
            paymentData: Array(token.paymentData), displayName: token.paymentMethod.displayName,
            network: token.paymentMethod.network?.rawValue, methodType: type,
            transactionIdentifier: token.transactionIdentifier)
    }
}
