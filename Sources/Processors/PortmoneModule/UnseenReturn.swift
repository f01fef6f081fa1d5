import FoundationEssentials
import PaymentRelay
import PayrelayPrimitives

/// For how long it means nothing that `result` does not show a refund.
///
/// What `result` shows of a return is published in no source: a third party writes that Portmone carries returns out when the operational
/// day has closed. A refund that is taken for one that was not processed may be asked for once more, so the time is long.
public struct UnseenReturn: Sendable, Equatable {
    /// Since the refund began. After it, what `result` does not show was not processed.
    public var isFinalAfter: Duration

    public init(isFinalAfter: Duration = .seconds(3 * 86_400)) {
        self.isFinalAfter = isFinalAfter
    }

    func isFinal(_ refund: PaymentOperation, at moment: Date) -> Bool {
        moment - refund.begunAt >= isFinalAfter
    }
}
