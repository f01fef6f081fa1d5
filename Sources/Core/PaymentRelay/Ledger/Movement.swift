public import FoundationEssentials
public import PayrelayPrimitives

/// A movement of money: the amount that one change of a payment charges, refunds or voids.
public struct Movement: Sendable, Equatable {
    /// The kind of a movement. The raw value is stored in the journal.
    public enum Kind: Int, Sendable, CaseIterable {
        /// Captured, by a purchase or by a capture.
        case charged = 1
        case refunded = 2
        /// An authorization was voided, with its whole amount.
        case voided = 3
    }

    public let kind: Kind
    /// More than zero, in the payment's currency.
    public let amount: MinorUnits

    public init(_ kind: Kind, _ amount: MinorUnits) {
        self.kind = kind
        self.amount = amount
    }

    /// Returns the movements of a payment's change. The sum of a payment's movements is its balance.
    ///
    /// - Parameters:
    ///   - old: the payment before the change; `nil` if it was not known.
    ///   - state: the state after the change.
    ///   - balance: the balance after the change. If a total is less than before, nothing moved: totals never decrease.
    ///   - amount: the authorized amount.
    public static func made(
        from old: Payment?, to state: PaymentState, _ balance: Balance, of amount: MinorUnits
    ) -> [Movement] {
        made(from: (old?.state, old?.balance ?? Balance()), to: (state, balance), of: amount)
    }

    /// Returns the movements between two entries of a history.
    static func made(
        from old: (state: PaymentState?, balance: Balance), to new: (state: PaymentState, balance: Balance),
        of amount: MinorUnits
    ) -> [Movement] {
        var movements: [Movement] = []
        if let more = new.balance.captured.subtracting(old.balance.captured), more > .zero {
            movements.append(Movement(.charged, more))
        }
        if let more = new.balance.refunded.subtracting(old.balance.refunded), more > .zero {
            movements.append(Movement(.refunded, more))
        }
        if new.state == .voided, old.state != .voided { movements.append(Movement(.voided, amount)) }
        return movements
    }
}

/// A movement as the journal keeps it. It is written with the change that moved the money, and never changes. It
/// stays even if the payment's reference is claimed again for another account.
public struct RecordedMovement: Sendable, Equatable {
    /// When this service recorded it.
    public let at: Date
    public let merchantReference: String
    /// The payment's ``Payment/account``.
    public let account: String?
    /// ISO 4217, alphabetic.
    public let currency: String
    public let movement: Movement

    public init(at: Date, merchantReference: String, account: String?, currency: String, movement: Movement) {
        self.at = at
        self.merchantReference = merchantReference
        self.account = account
        self.currency = currency
        self.movement = movement
    }
}

extension String {
    /// Whether the text can be an alphabetic code of ISO 4217.
    package var isCurrencyCode: Bool { utf8.count == 3 && utf8.allSatisfy { (0x41...0x5A).contains($0) } }
}
