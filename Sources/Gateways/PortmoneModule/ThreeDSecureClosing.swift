import FoundationEssentials
import PaymentRelay
import PayrelayPrimitives
import PortmoneAPI

/// Rule for a charge whose bank demands 3-D Secure on a page of its own (`isNeed3DS` "Y", status CREATED).
///
/// Apple's sheet cannot show that page, so the charge cannot be completed. It stays uncertain. Once it is as old as ``after``, a question
/// about it first closes the bill (`closeInvoice`) and then asks again; it is declined when `result` says REJECTED, and not before.
///
/// Only the bill that the charge was answered with is known to be this service's own. Another one may be waiting for its customer on
/// the merchant's page, and `closeInvoice` names the order alone. So beside another unpaid bill, and where the answer was lost, nothing
/// is closed before ``afterUnnamed``: no page waits so long.
public struct ThreeDSecureClosing: Sendable, Equatable {
    /// Since the order was claimed. Longer than any charge is under way, so that no bill is closed that is about to be paid.
    let after: Duration
    /// The same, of a charge whose answer named no bill, or beside whose bill the order has another unpaid one. A page of Portmone's own
    /// plugin waits for minutes: its `expTime` is 400.
    let afterUnnamed: Duration

    public init(after: Duration = .seconds(600), afterUnnamed: Duration = .seconds(86_400)) {
        self.after = after
        self.afterUnnamed = afterUnnamed
    }

    /// Whether the bill is to be closed.
    func isDue(_ payment: Payment, in state: OrderState, at moment: Date) -> Bool {
        guard case .open(let bill, let isAlone) = state, bill.status == .created, payment.state == .uncertain,
            !payment.isMadeElsewhere
        else { return false }
        let age = moment - payment.claimedAt
        guard let own = payment.gatewayReference else { return age >= afterUnnamed }
        return own == bill.shopBillID && age >= (isAlone ? after : afterUnnamed)
    }
}
