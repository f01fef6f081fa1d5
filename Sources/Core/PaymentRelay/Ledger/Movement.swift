public import FoundationEssentials
public import PayrelayPrimitives

/// A movement of money: one change of a payment charges, refunds or voids an amount.
public struct Movement: Sendable, Equatable {
    /// The raw value is the journal's.
    public enum Kind: Int, Sendable, CaseIterable {
        /// Captured, by a purchase or by a capture.
        case charged = 1
        case refunded = 2
        /// An authorization was given up, and its amount with it.
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
    ///   - old: before the change; nil where it was not known.
    ///   - state: after the change.
    ///   - balance: after the change. Where it is less than before, nothing moved: totals never go back.
    ///   - amount: what was authorized.
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

/// A movement as the journal keeps it: written with the change that moved the money, and never changed. It stays where its payment's
/// reference is claimed anew for another account.
public struct RecordedMovement: Sendable, Equatable {
    /// When this service recorded it.
    public let at: Date
    public let merchantReference: String
    /// As ``Payment/account``.
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
    /// Whether it can be an alphabetic code of ISO 4217.
    package var isCurrencyCode: Bool { utf8.count == 3 && utf8.allSatisfy { (0x41...0x5A).contains($0) } }
}
