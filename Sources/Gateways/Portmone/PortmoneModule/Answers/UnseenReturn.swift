import FoundationEssentials
import PaymentRelay
import PayrelayPrimitives

/// The period in which a refund that `result` does not show may still be processed.
///
/// A recorded answer shows a return within an hour, but no document says that every return appears so soon. A
/// third party writes that Portmone carries out returns after the close of the operational day. A refund that
/// counts as not processed may be requested again, so the period is long.
public struct UnseenReturn: Sendable, Equatable {
    /// The time since the refund began. After it, a refund that `result` does not show counts as not processed.
    let isFinalAfter: Duration

    public init(isFinalAfter: Duration = .seconds(3 * 86_400)) {
        self.isFinalAfter = isFinalAfter
    }

    func isFinal(_ refund: PaymentOperation, at moment: Date) -> Bool {
        moment - refund.begunAt >= isFinalAfter
    }
}
