public import PayrelayPrimitives

/// Amounts that can still be captured, refunded or voided.
extension Payment {
    /// Returns the amount for which an operation may begin on the payment. The operation is recorded before it is
    /// sent.
    ///
    /// - Parameter requested: the amount in minor units; `nil` for all that is left.
    /// - Throws: ``OperationRefusal/inFlight`` while the payment or an operation on it is open,
    ///   ``OperationRefusal/notAllowed(reason:)`` if less than the requested amount is left, or nothing.
    func permit(
        _ command: OperationCommand, amount requested: MinorUnits?
    ) throws(OperationRefusal) -> MinorUnits {
        if let archiveMonth {
            throw .notAllowed(
                reason: "the payment is archived in \(archiveMonth); nothing can be done with it from here")
        }
        guard openOperation == nil else { throw .inFlight }
        switch state {
        case .processing, .uncertain: throw .inFlight
        case .notSent, .declined, .notProcessed: throw .notAllowed(reason: "the payment is \(state.words)")
        case .authorized, .partiallyCaptured, .captured, .partiallyRefunded, .refunded, .voided: break
        }
        switch command {
        case .voidAuthorization:
            guard state == .authorized else {
                throw .notAllowed(
                    reason: "only what is authorized and not captured can be voided; it is \(state.words)")
            }
            return amount
        case .capture:
            guard state != .voided else { throw .notAllowed(reason: "the authorization was voided") }
            // After a refund, the refunded amount cannot be distinguished from an amount that was never captured,
            // so the amount that is left would be a guess.
            guard balance.refunded == .zero else {
                throw .notAllowed(reason: "a part was refunded, and nothing more can be captured after a refund")
            }
            return try permit(requested, of: amount.subtracting(balance.captured) ?? .zero, to: "capture")
        case .refund:
            return try permit(requested, of: balance.captured.subtracting(balance.refunded) ?? .zero, to: "refund")
        }
    }

    private func permit(
        _ requested: MinorUnits?, of left: MinorUnits, to verb: String
    ) throws(OperationRefusal) -> MinorUnits {
        guard left > .zero else { throw .notAllowed(reason: "there is nothing left to \(verb)") }
        guard let requested else { return left }
        guard requested > .zero else { throw .notAllowed(reason: "nothing would be \(verb)d") }
        guard requested <= left else { throw .notAllowed(reason: "only \(written(left)) is left to \(verb)") }
        return requested
    }

    /// Returns an amount in the currency's major unit, for people.
    func written(_ amount: MinorUnits) -> String {
        let number = Currency(code: currency).map { amount.text(in: $0) } ?? "\(amount)"
        return "\(number) \(currency)"
    }
}

/// Captured and refunded totals of a payment, in minor units of its currency. They never decrease.
public struct Balance: Sendable, Equatable {
    public var captured: MinorUnits
    public var refunded: MinorUnits

    public init(captured: MinorUnits = .zero, refunded: MinorUnits = .zero) {
        self.captured = captured
        self.refunded = refunded
    }

    /// Whether a payment of this amount can have this balance: no more captured than authorized, no more refunded
    /// than captured.
    package func isPossible(for amount: MinorUnits) -> Bool {
        refunded <= captured && captured <= amount
    }

    /// Returns the state of a payment with this balance.
    ///
    /// - Parameter amount: the authorized amount.
    func state(of amount: MinorUnits) -> PaymentState {
        switch (captured, refunded) {
        case (let captured, let refunded) where refunded > .zero: refunded < captured ? .partiallyRefunded : .refunded
        case (let captured, _) where captured > .zero: captured < amount ? .partiallyCaptured : .captured
        default: .authorized
        }
    }

    /// Returns the larger of each total. Totals only grow, so the larger one is the newer one.
    func forward(to other: Balance) -> Balance {
        Balance(captured: max(captured, other.captured), refunded: max(refunded, other.refunded))
    }
}
