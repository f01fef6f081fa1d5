public import Foundation

public enum PKPaymentAuthorizationStatus: Int, Sendable {
    case success
    case failure
}

open class PKPaymentAuthorizationResult: NSObject {
    public let status: PKPaymentAuthorizationStatus
    public let errors: [any Error]

    public init(status: PKPaymentAuthorizationStatus, errors: [any Error]?) {
        self.status = status
        self.errors = errors ?? []
    }
}

public protocol PKPaymentAuthorizationControllerDelegate: NSObjectProtocol {
    func paymentAuthorizationController(
        _ controller: PKPaymentAuthorizationController, didAuthorizePayment payment: PKPayment,
        handler completion: @escaping (PKPaymentAuthorizationResult) -> Void)

    func paymentAuthorizationControllerDidFinish(_ controller: PKPaymentAuthorizationController)

    // Optional methods of Apple's.

    func paymentAuthorizationController(
        _ controller: PKPaymentAuthorizationController, didSelectShippingContact contact: PKContact,
        handler completion: @escaping (PKPaymentRequestShippingContactUpdate) -> Void)

    func paymentAuthorizationController(
        _ controller: PKPaymentAuthorizationController, didSelectShippingMethod shippingMethod: PKShippingMethod,
        handler completion: @escaping (PKPaymentRequestShippingMethodUpdate) -> Void)

    func paymentAuthorizationController(
        _ controller: PKPaymentAuthorizationController, didChangeCouponCode couponCode: String,
        handler completion: @escaping (PKPaymentRequestCouponCodeUpdate) -> Void)

    func paymentAuthorizationController(
        _ controller: PKPaymentAuthorizationController, didSelectPaymentMethod paymentMethod: PKPaymentMethod,
        handler completion: @escaping (PKPaymentRequestPaymentMethodUpdate) -> Void)
}

/// The defaults for a delegate without the optional methods. The sheet treats an update without items as no update.
extension PKPaymentAuthorizationControllerDelegate {
    public func paymentAuthorizationController(
        _ controller: PKPaymentAuthorizationController, didSelectShippingContact contact: PKContact,
        handler completion: @escaping (PKPaymentRequestShippingContactUpdate) -> Void
    ) {
        completion(PKPaymentRequestShippingContactUpdate(errors: nil, paymentSummaryItems: [], shippingMethods: []))
    }

    public func paymentAuthorizationController(
        _ controller: PKPaymentAuthorizationController, didSelectShippingMethod shippingMethod: PKShippingMethod,
        handler completion: @escaping (PKPaymentRequestShippingMethodUpdate) -> Void
    ) {
        completion(PKPaymentRequestShippingMethodUpdate(paymentSummaryItems: []))
    }

    public func paymentAuthorizationController(
        _ controller: PKPaymentAuthorizationController, didChangeCouponCode couponCode: String,
        handler completion: @escaping (PKPaymentRequestCouponCodeUpdate) -> Void
    ) {
        completion(PKPaymentRequestCouponCodeUpdate(errors: nil, paymentSummaryItems: [], shippingMethods: []))
    }

    public func paymentAuthorizationController(
        _ controller: PKPaymentAuthorizationController, didSelectPaymentMethod paymentMethod: PKPaymentMethod,
        handler completion: @escaping (PKPaymentRequestPaymentMethodUpdate) -> Void
    ) {
        completion(PKPaymentRequestPaymentMethodUpdate(errors: nil, paymentSummaryItems: []))
    }
}

/// A controller that shows nothing. The test that has set ``SimulatedSheet/current`` plays the customer and iOS.
open class PKPaymentAuthorizationController: NSObject {
    public weak var delegate: (any PKPaymentAuthorizationControllerDelegate)?
    private let sheet = SimulatedSheet.current

    public init(paymentRequest request: PKPaymentRequest) {
        super.init()
        sheet?.setRequest(request)
    }

    @MainActor
    public func present(completion: ((Bool) -> Void)? = nil) {
        let isPresented = sheet?.present(self) ?? false
        completion?(isPresented)
    }

    @MainActor
    public func dismiss(completion: (() -> Void)? = nil) {
        if sheet?.dismiss() ?? true { completion?() }
    }
}
