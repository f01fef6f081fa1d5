import FoundationEssentials
import PaymentRelay
import PayrelayPrimitives
import PortmoneAPI

/// Rule for a charge whose bank demands 3-D Secure on a page of its own (`isNeed3DS` "Y", status CREATED).
///
/// Apple's sheet cannot show that page, so the charge cannot be completed. It stays uncertain. Once it is as old as ``after``, a question
/// about it first closes the bill (`closeInvoice`) and then asks again; it is declined when `result` says REJECTED, and not before.
public struct ThreeDSecureClosing: Sendable, Equatable {
    /// Since the order was claimed. Longer than any charge is under way, so that no bill is closed that is about to be paid.
    let after: Duration

    public init(after: Duration = .seconds(600)) {
        self.after = after
    }

    /// Whether the bill is to be closed. Only of a charge of this service's own: a bill of the merchant's page may be waiting for its
    /// customer.
    func isDue(_ payment: Payment, in state: OrderState, at moment: Date) -> Bool {
        guard case .open(let bill) = state, bill.status == .created, payment.state == .uncertain,
            !payment.isMadeElsewhere
        else { return false }
        return moment - payment.claimedAt >= after
    }
}
