public import FoundationEssentials
import PayrelayPrimitives

/// The hints about a reference as a journal keeps them, with their lease.
public struct PendingHint: Sendable, Equatable {
    /// The newest hint about the reference.
    public let hint: GatewayHint
    public let kind: FeedbackKind
    /// Whether hints with other contents came before the newest one, and the gateway was not queried about them
    /// yet.
    public let isMixed: Bool
    /// The gateway's numbers of the charges to query by number, from the hints since the last query. Each number is
    /// there once, the oldest first, at most ``chargeLimit``.
    public let charges: [String]
    /// How many hints came since the last query.
    public let times: Int
    /// How many queries in a row were in vain.
    public let queriesInVain: Int
    /// The end of the lease. It distinguishes this lease from others of the row.
    public let leaseExpiresAt: Date

    public init(
        hint: GatewayHint, kind: FeedbackKind, isMixed: Bool, charges: [String] = [], times: Int,
        queriesInVain: Int, leaseExpiresAt: Date
    ) {
        self.hint = hint
        self.kind = kind
        self.isMixed = isMixed
        self.charges = charges
        self.times = times
        self.queriesInVain = queriesInVain
        self.leaseExpiresAt = leaseExpiresAt
    }

    /// How many charges of a reference may wait to be queried by number: usually the payment's charge and one more.
    /// Anyone who can write notifications can invent numbers, and each number costs a query.
    public static let chargeLimit = 4
}

// MARK: Changes of a row

extension PendingHint {
    /// Creates the row for the first hint about a reference.
    public init(first hint: GatewayHint, charge: String?, kind: FeedbackKind) {
        self.init(
            hint: hint, kind: kind, isMixed: false, charges: charge.map { [$0] } ?? [], times: 1, queriesInVain: 0,
            leaseExpiresAt: .distantPast)
    }

    /// Returns the row with another hint about the reference. If the row is in cooldown, only its count of queries
    /// in vain is kept.
    ///
    /// - Returns: `nil` if the hint names a charge and the row cannot hold another number.
    public func adding(_ newer: GatewayHint, charge: String?, kind: FeedbackKind) -> PendingHint? {
        var numbers = times > 0 ? charges : []
        if let charge, !numbers.contains(charge) {
            guard numbers.count < Self.chargeLimit else { return nil }
            numbers.append(charge)
        }
        return PendingHint(
            hint: newer, kind: kind, isMixed: times > 0 && (isMixed || hint != newer), charges: numbers,
            times: times + 1, queriesInVain: queriesInVain, leaseExpiresAt: leaseExpiresAt)
    }

    /// Returns the row after the gateway was queried about the hints that were leased.
    ///
    /// - Parameter inVain: whether the query was in vain, which is counted.
    public func without(_ asked: PendingHint, inVain: Bool) -> PendingHint {
        let rest = max(0, times - asked.times)
        return PendingHint(
            hint: hint, kind: kind, isMixed: isMixed && rest > 1,
            charges: Array(charges.dropFirst(asked.charges.count)),
            times: rest, queriesInVain: inVain ? min(queriesInVain, Self.inVainLimit) + 1 : 0,
            leaseExpiresAt: leaseExpiresAt)
    }

    /// The limit of the count. A larger count would not make a cooldown longer.
    private static let inVainLimit = 1_000
}

// MARK: Storage

extension PendingHint {
    /// Everything except the reference, the account and the number of hints, as JSON text.
    public var payload: String {
        let json: JSONObject = [
            "hint": .string(hint.storedText), "kind": .string(kind.rawValue), "is_mixed": .bool(isMixed),
            "charges": .array(charges.map { .string($0) }), "queries_in_vain": JSON(queriesInVain),
        ]
        return String(decoding: JSON.object(json).encoded(), as: UTF8.self)
    }

    /// Reads hints from a journal; `nil` for a text that no version of this code wrote.
    public init?(
        account: String, merchantReference: String, payload: String, times: Int, leaseExpiresAt: Date
    ) {
        guard let json = (try? JSON(parsing: Array(payload.utf8)))?.objectValue,
            let text = json["hint"]?.stringValue,
            let hint = GatewayHint(account: account, merchantReference: merchantReference, storedText: text),
            let kind = json["kind"]?.stringValue.flatMap(FeedbackKind.init),
            case .bool(let isMixed)? = json["is_mixed"],
            let numbers = json["charges"]?.arrayValue, case .number(let literal)? = json["queries_in_vain"],
            let inVain = Int(literal), (0...Self.inVainLimit + 1).contains(inVain)
        else { return nil }
        let charges = numbers.compactMap(\.stringValue)
        guard charges.count == numbers.count, charges.count <= Self.chargeLimit, charges.allSatisfy(\.isChargeNumber)
        else { return nil }
        self.init(
            hint: hint, kind: kind, isMixed: isMixed, charges: charges, times: times, queriesInVain: inVain,
            leaseExpiresAt: leaseExpiresAt)
    }
}

/// The end of a hint's lease, which decides what happens to its row.
public enum HintEnd: Sendable, Equatable {
    /// The row is deleted: the query brought something new, or no query was needed.
    case answered
    /// The query was in vain, which is counted. The gateway is not queried about the reference before that moment.
    case inVain(cooldownUntil: Date)
    /// There was no answer, or the gateway cannot be queried yet. The hint is due again at that moment.
    case postponed(until: Date)
}

/// The number of pending hints.
public struct HintSummary: Sendable, Equatable {
    public let count: Int
    /// When the hint that has waited longest came.
    public let oldest: Date?

    public init(count: Int = 0, oldest: Date? = nil) {
        self.count = count
        self.oldest = oldest
    }
}
