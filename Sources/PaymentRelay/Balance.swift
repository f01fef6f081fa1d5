/// What was taken of a payment and what was given back, in minor units of its currency. Both only ever grow.
public struct Balance: Sendable, Equatable {
    public var captured: Int
    public var refunded: Int

    public init(captured: Int = 0, refunded: Int = 0) {
        self.captured = captured
        self.refunded = refunded
    }

    /// The state of a payment that holds this much.
    ///
    /// - Parameter amount: what was authorized.
    func state(of amount: Int) -> PaymentState {
        switch (captured, refunded) {
        case (let captured, let refunded) where refunded > 0: refunded < captured ? .partiallyRefunded : .refunded
        case (let captured, _) where captured > 0: captured < amount ? .partiallyCaptured : .captured
        default: .authorized
        }
    }

    /// The larger of each: what is known from two sides, neither of which can be ahead of the truth.
    func forward(to other: Balance) -> Balance {
        Balance(captured: max(captured, other.captured), refunded: max(refunded, other.refunded))
    }
}
