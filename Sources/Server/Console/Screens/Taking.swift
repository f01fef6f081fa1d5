import AccessControl
import PaymentRelay

/// The operator to whom a payment is assigned, and what the operator who views the page can do about it.
struct Taking {
    let view: View

    init(of payment: Payment, to request: ScreenRequest) {
        let taken = payment.taken
        let isOwn = taken?.operatorName == request.operatorRequest.operatorName
        let isReleasable = taken != nil && (isOwn || request.role.may(.releasePayment))
        view = [
            "by": View(taken?.operatorName), "since": View(taken?.at), "isOwn": .flag(isOwn),
            "reference": .text(payment.merchantReference),
            "take": View(
                taken == nil && request.role.may(.takePayment)
                    ? Links.operation("take", payment.merchantReference) : nil),
            "release": View(
                isReleasable && request.role.may(.takePayment)
                    ? Links.operation("release", payment.merchantReference) : nil),
        ]
    }
}
