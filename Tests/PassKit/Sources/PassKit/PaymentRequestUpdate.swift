public import Foundation

// `errors` is implicitly unwrapped in Apple's declarations, and never nil.

open class PKPaymentRequestUpdate: NSObject {
    public var status = PKPaymentAuthorizationStatus.success
    public var paymentSummaryItems: [PKPaymentSummaryItem]
    /// The new shipping methods. Empty if they do not change.
    public var shippingMethods: [PKShippingMethod] = []

    public init(paymentSummaryItems: [PKPaymentSummaryItem]) {
        self.paymentSummaryItems = paymentSummaryItems
    }
}

open class PKPaymentRequestShippingContactUpdate: PKPaymentRequestUpdate {
    public var errors: [any Error]

    public init(
        errors: [any Error]?, paymentSummaryItems: [PKPaymentSummaryItem], shippingMethods: [PKShippingMethod]
    ) {
        self.errors = errors ?? []
        super.init(paymentSummaryItems: paymentSummaryItems)
        self.shippingMethods = shippingMethods
    }
}

open class PKPaymentRequestShippingMethodUpdate: PKPaymentRequestUpdate {}

open class PKPaymentRequestPaymentMethodUpdate: PKPaymentRequestUpdate {
    public var errors: [any Error]

    public init(errors: [any Error]?, paymentSummaryItems: [PKPaymentSummaryItem]) {
        self.errors = errors ?? []
        super.init(paymentSummaryItems: paymentSummaryItems)
    }
}

open class PKPaymentRequestCouponCodeUpdate: PKPaymentRequestUpdate {
    public var errors: [any Error]

    public init(
        errors: [any Error]?, paymentSummaryItems: [PKPaymentSummaryItem], shippingMethods: [PKShippingMethod]
    ) {
        self.errors = errors ?? []
        super.init(paymentSummaryItems: paymentSummaryItems)
        self.shippingMethods = shippingMethods
    }
}

open class PKShippingMethod: PKPaymentSummaryItem {
    public var identifier: String?
    public var detail: String?
}
