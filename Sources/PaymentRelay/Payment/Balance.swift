/// What was captured of a payment and what was refunded, in minor units of its currency. Both only ever grow.
public struct Balance: Sendable, Equatable {
    public var captured: MinorUnits
    public var refunded: MinorUnits

    public init(captured: MinorUnits = .zero, refunded: MinorUnits = .zero) {
        self.captured = captured
        self.refunded = refunded
    }

    /// Whether a payment of this amount can hold it: no more captured than authorized, no more refunded than captured.
    func isPossible(for amount: MinorUnits) -> Bool {
        refunded <= captured && captured <= amount
    }

    /// The state of a payment that holds this much.
    ///
    /// - Parameter amount: what was authorized.
    func state(of amount: MinorUnits) -> PaymentState {
        switch (captured, refunded) {
        case (let captured, let refunded) where refunded > .zero: refunded < captured ? .partiallyRefunded : .refunded
        case (let captured, _) where captured > .zero: captured < amount ? .partiallyCaptured : .captured
        default: .authorized
        }
    }

    /// The larger of each: what is known from two sides, neither of which can be ahead of the truth.
    func forward(to other: Balance) -> Balance {
        Balance(captured: max(captured, other.captured), refunded: max(refunded, other.refunded))
    }
}
