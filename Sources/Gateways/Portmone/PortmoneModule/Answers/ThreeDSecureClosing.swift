import FoundationEssentials
import PaymentRelay
import PayrelayPrimitives
import PortmoneAPI

/// The rule for a charge whose bank demands 3-D Secure on a page of the bank (`isNeed3DS` "Y", status CREATED).
///
/// Apple's sheet cannot show that page, so the charge cannot be completed and stays `uncertain`. When it is older
/// than ``after``, a query first closes the bill (`closeInvoice`) and then queries `result` again. The charge is
/// declined only when `result` says REJECTED.
///
/// `closeInvoice` names only the order, and another bill of the order may belong to a customer who is paying on
/// the merchant's page. So a bill is closed after ``after`` only if the charge's answer named it and the order
/// has no other bill that may be paid. Otherwise it is closed after ``afterUnnamed``: no page waits so long for a
/// customer.
public struct ThreeDSecureClosing: Sendable, Equatable {
    /// The time since the order was claimed. It is longer than any charge takes, so that a bill that is about to
    /// be paid is not closed.
    let after: Duration
    /// The same time for a charge whose answer named no bill, or whose order has another bill that may be paid. A
    /// page of Portmone's plugin waits only for minutes: its `expTime` is 400.
    let afterUnnamed: Duration

    public init(after: Duration = .seconds(600), afterUnnamed: Duration = .seconds(86_400)) {
        self.after = after
        self.afterUnnamed = afterUnnamed
    }

    /// Whether the bill is to be closed now.
    func isDue(_ payment: Payment, in state: OrderState, at moment: Date) -> Bool {
        guard case .open(let bill, let isAlone) = state, bill.status == .created, payment.state == .uncertain,
            !payment.isMadeElsewhere
        else { return false }
        let age = moment - payment.claimedAt
        guard let own = payment.gatewayReference else { return age >= afterUnnamed }
        return own == bill.shopBillID && age >= (isAlone ? after : afterUnnamed)
    }
}
