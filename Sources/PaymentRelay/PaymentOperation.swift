public import FoundationEssentials

/// A capture, a void or a refund of a payment, as the journal keeps it with the payment.
///
/// A payment has at most one that is open. FORT numbers no captures, so that two under way at once could not be told apart
/// afterwards by what CHECK_STATUS says was captured in all.
public struct PaymentOperation: Sendable, Equatable {
    /// Where it stands.
    public enum State: String, Sendable, CaseIterable {
        /// Recorded; its request may be on its way.
        case processing
        /// The processor may have done it; it is asked until it says.
        case uncertain
        /// The processor has it and has not decided.
        case pending
        case done
        /// The processor refused it: no money moved.
        case declined
        /// Nothing left this process.
        case notSent = "not_sent"
        /// The processor's totals show that it never happened.
        case notProcessed = "not_processed"

        /// Whether the answer to "was it done?" is still open.
        public var isOpen: Bool {
            switch self {
            case .processing, .uncertain, .pending: true
            case .done, .declined, .notSent, .notProcessed: false
            }
        }
    }

    public let command: OperationCommand
    /// In the payment's currency. Of a void, what was authorized.
    public let amount: MinorUnits
    /// FORT's name for a refund among the payment's others; ours for the other two.
    public let maintenanceReference: String?
    /// What makes it one and the same when it is asked for again: see ``OperationRequest``.
    public let name: String
    /// What had been taken and given back when it began.
    public let before: Balance
    public let begunAt: Date
    public var state: State
    /// When it came to its state.
    public var changedAt: Date
    /// What clients were told of it, as JSON bytes; nil while it is processing. Replays give these bytes again.
    public var receipt: [UInt8]?

    public init(
        command: OperationCommand, amount: MinorUnits, maintenanceReference: String?, name: String, before: Balance,
        begunAt: Date, state: State = .processing, changedAt: Date? = nil, receipt: [UInt8]? = nil
    ) {
        self.command = command
        self.amount = amount
        self.maintenanceReference = maintenanceReference
        self.name = name
        self.before = before
        self.begunAt = begunAt
        self.state = state
        self.changedAt = changedAt ?? begunAt
        self.receipt = receipt
    }

    /// The name of all that was not asked for here; what a client names has a word before it.
    static let elsewhere = "elsewhere"

    /// Whether the processor told of it by itself.
    var isMadeElsewhere: Bool { name == Self.elsewhere }

    /// What is captured and refunded once it is done; nil where that would be more than any payment can hold.
    var after: Balance? {
        switch command {
        case .capture:
            before.captured.adding(amount).map { Balance(captured: $0, refunded: before.refunded) }
        case .voidAuthorization: before
        case .refund:
            before.refunded.adding(amount).map { Balance(captured: before.captured, refunded: $0) }
        }
    }
}
