import FortAPI
import FoundationEssentials

/// The captures, refunds and void of an order after its charge, in minor units of its currency.
public struct SandboxLedger: Sendable, Equatable {
    public private(set) var captured = 0
    public private(set) var refunded = 0
    public private(set) var isVoided = false
    /// The number of captures that were carried out.
    public private(set) var captures = 0
    public private(set) var refunds = 0
    /// The `maintenance_reference`s of refunds that were carried out. FORT accepts each once.
    var refundReferences: Set<String> = []
    /// The operations on hold, the earliest first.
    private var held: [Held] = []

    private struct Held: Equatable {
        let command: FortCommand
        let amount: Int
        let settlesAt: Date
    }

    init(captured: Int) {
        self.captured = captured
    }

    var isHolding: Bool { !held.isEmpty }

    func isHolding(_ command: FortCommand) -> Bool { held.contains { $0.command == command } }

    /// Returns the total amount of the captures, or of the refunds, that are on hold.
    func onHold(_ command: FortCommand) -> Int {
        held.reduce(0) { $0 + ($1.command == command ? $1.amount : 0) }
    }

    /// Records a capture, a refund or a void. A void ignores the amount.
    mutating func enter(_ command: FortCommand, _ amount: Int) {
        switch command {
        case .capture:
            captured += amount
            captures += 1
        case .refund:
            refunded += amount
            refunds += 1
        default: isVoided = true
        }
    }

    /// Puts an operation on hold. ``settle(at:)`` records it when the hold has ended.
    mutating func hold(_ command: FortCommand, _ amount: Int, until settlesAt: Date) {
        held.append(Held(command: command, amount: amount, settlesAt: settlesAt))
    }

    /// Records the operations whose hold has ended by this moment.
    mutating func settle(at moment: Date) {
        for operation in held where operation.settlesAt <= moment { enter(operation.command, operation.amount) }
        held.removeAll { $0.settlesAt <= moment }
    }
}
