#if canImport(PassKit) && !os(macOS)
import Foundation
import PassKit

/// The delegate of a sheet whose total may change. For other sheets, ``SheetPresentation`` is the delegate, and
/// iOS reports no changes.
nonisolated final class ChangingSheetDelegate: NSObject, PKPaymentAuthorizationControllerDelegate {
    private let presentation: SheetPresentation

    init(_ presentation: SheetPresentation) {
        self.presentation = presentation
    }

    func paymentAuthorizationController(
        _ controller: PKPaymentAuthorizationController, didSelectShippingContact contact: PKContact,
        handler completion: @escaping (PKPaymentRequestShippingContactUpdate) -> Void
    ) {
        let address = SheetAddress(contact)
        presentation.change(.shippingContact) {
            $0.shippingAddress = address
        } completion: {
            completion($0.forShippingContact)
        }
    }

    func paymentAuthorizationController(
        _ controller: PKPaymentAuthorizationController, didSelectShippingMethod shippingMethod: PKShippingMethod,
        handler completion: @escaping (PKPaymentRequestShippingMethodUpdate) -> Void
    ) {
        let identifier = shippingMethod.identifier
        presentation.change(.shippingMethod) {
            $0.shippingMethod = identifier
        } completion: {
            completion($0.forShippingMethod)
        }
    }

    func paymentAuthorizationController(
        _ controller: PKPaymentAuthorizationController, didChangeCouponCode couponCode: String,
        handler completion: @escaping (PKPaymentRequestCouponCodeUpdate) -> Void
    ) {
        presentation.change(.couponCode) {
            $0.couponCode = couponCode
        } completion: {
            completion($0.forCouponCode)
        }
    }

    func paymentAuthorizationController(
        _ controller: PKPaymentAuthorizationController, didSelectPaymentMethod paymentMethod: PKPaymentMethod,
        handler completion: @escaping (PKPaymentRequestPaymentMethodUpdate) -> Void
    ) {
        let method = SheetPaymentMethod(network: paymentMethod.network?.rawValue, type: paymentMethod.type.word)
        presentation.change(.paymentMethod) {
            $0.paymentMethod = method
        } completion: {
            completion($0.forPaymentMethod)
        }
    }

    func paymentAuthorizationController(
        _ controller: PKPaymentAuthorizationController, didAuthorizePayment payment: PKPayment,
        handler completion: @escaping (PKPaymentAuthorizationResult) -> Void
    ) {
        presentation.paymentAuthorizationController(controller, didAuthorizePayment: payment, handler: completion)
    }

    func paymentAuthorizationControllerDidFinish(_ controller: PKPaymentAuthorizationController) {
        presentation.paymentAuthorizationControllerDidFinish(controller)
    }
}
#endif
