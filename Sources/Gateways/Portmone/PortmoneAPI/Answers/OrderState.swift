public import PayrelayPrimitives

/// The state of one order, derived from all entries of an answer to `result`.
///
/// Portmone does not document how the bills of an order relate, so these rules are this service's own. They apply
/// in this order:
/// - A capture or a void of the payment's bill is open, and that bill is REJECTED: the hold was released. Nothing
///   else counts, not even another bill with money, because only the payment's bill says what became of the
///   operation.
/// - A bill with money, or in an unknown status, has no known currency: it names none, and the payment is not in
///   hryvnias. No amount is proven, and the state is ``withoutCurrency(_:)``. The exception is the payment's bill
///   in PREAUTH, as the only bill with money, while an operation on it is open: that it is still held needs no
///   amount.
/// - Several bills have money: ``chargedSeveralTimes(_:)``.
/// - One bill has money: its status decides between ``held(_:)``, ``paid(_:returned:)``, ``returned(_:)`` and
///   ``onlyReturns(_:_:)``. PREAUTH beside returned money is a contradiction.
/// - No bill has money, but there are entries with negative amounts: ``onlyReturns(_:_:)``.
/// - No entry has money: only the payment's bill counts if it is in the answer, otherwise every bill.
public enum OrderState: Sendable, Equatable {
    /// The answer is an empty list, or no entry of it concerns the payment: Portmone has no bill of the order.
    case notFound
    /// The order has a bill that is unpaid or in an unknown status, and no bill with money.
    ///
    /// - Parameter isAlone: whether every other bill of the order is REJECTED, whatever its amount. A bill in a
    ///   status that is unknown here may still be paid.
    case open(ProvenEntry, isAlone: Bool)
    /// The order has at least one bill, and each bill that counts failed or had its hold released.
    case rejected([ProvenEntry])
    case held(ProvenEntry)
    /// One bill was paid.
    ///
    /// - Parameter returned: the money given back, according to entries in RETURN with negative amounts; `nil` if
    ///   there are no such entries.
    case paid(ProvenEntry, returned: ReturnedAmount?)
    /// A bill is in RETURN with its own, positive amount. The entry does not say how much was given back.
    case returned(ProvenEntry)
    /// The entries show money that was given back, and no bill in PREAUTH or PAYED.
    case onlyReturns(ProvenEntry, ReturnedAmount)
    /// A bill that has money, or may have money, names no currency: no amount is proven.
    case withoutCurrency(ProvenEntry)
    /// Several bills of the order have money, sorted by number. Their amounts are never added up: a merchant must
    /// look.
    case chargedSeveralTimes([ProvenEntry])

    /// Derives the state from an answer.
    ///
    /// - Parameters:
    ///   - entries: every entry of the answer.
    ///   - identity: the identity of the payment.
    ///   - number: the number of the payment's bill; `nil` if it is not known. If no bill has money and the
    ///     answer has this bill, only this bill counts.
    ///   - isOperatedOn: whether a capture or a void of this bill is open. If so and the bill is REJECTED, other
    ///     bills of the order are ignored, even paid ones: they say nothing about the operation.
    /// - Throws: ``EvidenceError`` if an entry is about something else, or if two entries of one bill contradict
    ///   each other.
    public init(
        _ entries: [PortmoneEntry], for identity: PaymentIdentity, own number: String? = nil, isOperatedOn: Bool = false
    ) throws(EvidenceError) {
        let bills = try OrderBills(
            identity.proofs(in: entries, own: number), own: number, isOperatedOn: isOperatedOn)
        switch (bills.money, bills.returned) {
        case (.letGo(let own), _): self = .rejected(own)
        case (.unstated(let bill), _): self = .withoutCurrency(bill)
        case (.several(let bills), _): self = .chargedSeveralTimes(bills)
        case (.held, _?): throw .contradictory("money is held, and some was given back")
        case (.held(let bill), nil): self = .held(bill)
        case (.paid(let bill), let returned): self = .paid(bill, returned: returned)
        case (.givenBack(let bill), let returned?): self = .onlyReturns(bill, returned)
        case (.givenBack(let bill), nil): self = .returned(bill)
        case (.none, let returned?): self = .onlyReturns(bills.returns[0], returned)
        case (.none, nil):
            let counting = bills.own.isEmpty ? bills.all : bills.own
            if let open = counting.first(where: { $0.status != .rejected }) {
                let isBesideAnother = entries.contains { $0.status != .rejected && $0.shopBillID != open.shopBillID }
                self = .open(open, isAlone: !isBesideAnother)
            } else {
                self = counting.isEmpty ? .notFound : .rejected(counting)
            }
        }
    }
}

/// The bills of an order: which of them have money, and how much was given back.
private struct OrderBills {
    /// The bill or bills that have money.
    enum Money {
        case none
        case held(ProvenEntry)
        case paid(ProvenEntry)
        /// A bill in RETURN with its own, positive amount.
        case givenBack(ProvenEntry)
        /// The bills sorted by number.
        case several([ProvenEntry])
        /// A bill that has money, or may have money, names no currency.
        case unstated(ProvenEntry)
        /// An operation on the payment's bill is open, and the bill's hold was released.
        case letGo([ProvenEntry])
    }

    let all: [ProvenEntry]
    /// The entries of the payment's bill; empty if its number is not known.
    let own: [ProvenEntry]
    let money: Money
    /// The entries in RETURN with negative amounts.
    let returns: [ProvenEntry]
    let returned: ReturnedAmount?

    init(_ proven: [ProvenEntry], own number: String?, isOperatedOn: Bool) throws(EvidenceError) {
        all = proven
        own = proven.filter { number != nil && $0.shopBillID == number }
        returns = proven.filter { $0.status == .returned && $0.isNegative }
        let withMoney = proven.filter { $0.status?.hasMoney ?? true }
        if isOperatedOn, !own.isEmpty, own.allSatisfy({ $0.status == .rejected }) {
            (money, returned) = (.letGo(own), nil)
        } else if let bill = withMoney.first(where: { $0.currency == nil }) {
            // An amount is not needed to see that the bill is still held.
            let isStillHeld =
                isOperatedOn && withMoney.count == 1 && bill.status == .preauthorized && bill.shopBillID == number
            (money, returned) = (isStillHeld ? .held(bill) : .unstated(bill), nil)
        } else {
            let charged = try Self.charged(among: proven)
            returned = try ReturnedAmount(returns, beside: charged)
            money =
                switch (charged.first, charged.first?.status) {
                case (nil, _): .none
                case _ where charged.count > 1: .several(charged)
                case (let bill?, .preauthorized): .held(bill)
                case (let bill?, .payed): .paid(bill)
                case (let bill?, _): .givenBack(bill)
                }
        }
    }

    /// Returns the bills that have money, each bill once, sorted by number.
    private static func charged(among proven: [ProvenEntry]) throws(EvidenceError) -> [ProvenEntry] {
        var bills: [ProvenEntry] = []
        for entry in proven where entry.status?.hasMoney ?? false && !entry.isNegative {
            if let known = bills.first(where: { $0.shopBillID == entry.shopBillID }) {
                guard known.status == entry.status, known.amount == entry.amount else {
                    throw .contradictory("the bill \(entry.shopBillID ?? "") occurs twice")
                }
            } else {
                bills.append(entry)
            }
        }
        return bills.sorted { ($0.shopBillID ?? "").precedesAsNumber($1.shopBillID ?? "") }
    }
}

/// The amount given back, as proven by entries with negative amounts.
public struct ReturnedAmount: Sendable, Equatable {
    /// The amount in minor units.
    public let amount: MinorUnits
    /// Whether ``amount`` is the sum of the entries: the order has a bill with money, and each entry has a number
    /// of its own that is not the number of a bill with money. Otherwise ``amount`` is the largest entry. At
    /// least that much was given back, and no public source says more.
    public let isSum: Bool

    /// Computes the amount from the entries of returns; `nil` if there are no entries.
    ///
    /// - Throws: ``EvidenceError`` if the sum is beyond the limit of amounts.
    init?(_ entries: [ProvenEntry], beside charges: [ProvenEntry]) throws(EvidenceError) {
        guard !entries.isEmpty else { return nil }
        let numbers = entries.compactMap(\.shopBillID)
        let distinct = Set(numbers).subtracting(charges.compactMap(\.shopBillID))
        isSum = !charges.isEmpty && distinct.count == entries.count
        var total = MinorUnits.zero
        for amount in entries.compactMap(\.amount) {
            guard let next = isSum ? total.adding(amount) : max(total, amount) else {
                throw .contradictory("more was given back than any payment holds")
            }
            total = next
        }
        amount = total
    }
}

extension String {
    /// Whether the text comes before the other one in ascending order of numbers: the shorter text first, then by
    /// bytes.
    fileprivate func precedesAsNumber(_ other: String) -> Bool {
        utf8.count == other.utf8.count ? utf8.lexicographicallyPrecedes(other.utf8) : utf8.count < other.utf8.count
    }
}
