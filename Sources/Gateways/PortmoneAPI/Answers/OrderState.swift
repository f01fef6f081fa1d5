public import PayrelayPrimitives

/// State of one order, derived from all entries of an answer to `result`.
public enum OrderState: Sendable, Equatable {
    /// An empty list: Portmone has no bill of the order.
    case notFound
    /// An unpaid bill, or one in an unknown status.
    ///
    /// - Parameter isAlone: whether no other bill of the order is unpaid, of whatever amount.
    case open(ProvenEntry, isAlone: Bool)
    /// Nothing but bills whose charge failed, or whose money was let go of; at least one.
    case rejected([ProvenEntry])
    case held(ProvenEntry)
    /// - Parameter returned: what entries of the status RETURN with negative amounts say beside it; nil where there is none.
    case paid(ProvenEntry, returned: ReturnedAmount?)
    /// A bill in the status RETURN, with the bill's own amount: how much of it was given back is not said.
    case returned(ProvenEntry)
    /// Nothing but money that was given back.
    case onlyReturns(ProvenEntry, ReturnedAmount)
    /// A bill that names no currency has money, or may have: no amount is proven.
    case withoutCurrency(ProvenEntry)
    /// Several bills of the order have money. They are never summed: a merchant must look. In the order of their numbers.
    case chargedSeveralTimes([ProvenEntry])

    /// - Parameters:
    ///   - entries: every one of the answer.
    ///   - identity: of the payment.
    ///   - number: that of the payment's own bill, where it is known. Where no bill has money, it alone counts.
    ///   - isOperatedOn: whether a capture or a void of that bill is open. If it is REJECTED, it alone counts also beside money: that of
    ///     another says nothing of the operation.
    /// - Throws: ``EvidenceError`` where an entry is about something else, or two entries of one bill contradict each other.
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
                let isBesideAnother = entries.contains { $0.status == .created && $0.shopBillID != open.shopBillID }
                self = .open(open, isAlone: !isBesideAnother)
            } else {
                self = counting.isEmpty ? .notFound : .rejected(counting)
            }
        }
    }
}

/// The bills of an order: which of them have money, and what was given back.
private struct OrderBills {
    /// The bill, or the bills, that have money.
    enum Money {
        case none
        case held(ProvenEntry)
        case paid(ProvenEntry)
        /// A bill in the status RETURN, with the bill's own amount.
        case givenBack(ProvenEntry)
        /// In the order of their numbers.
        case several([ProvenEntry])
        /// A bill that names no currency has money, or may have.
        case unstated(ProvenEntry)
        /// The payment's own bill is operated on, and its hold was let go of.
        case letGo([ProvenEntry])
    }

    let all: [ProvenEntry]
    /// The entries of the payment's own bill.
    let own: [ProvenEntry]
    let money: Money
    /// The entries with negative amounts.
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
            // That the bill is still held needs no amount.
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

    /// The bills that have money, each once.
    private static func charged(among proven: [ProvenEntry]) throws(EvidenceError) -> [ProvenEntry] {
        var bills: [ProvenEntry] = []
        for entry in proven where entry.status?.hasMoney ?? false && !entry.isNegative {
            if let known = bills.first(where: { $0.shopBillID == entry.shopBillID }) {
                guard known.status == entry.status, known.amount == entry.amount else {
                    throw .contradictory("the bill \(entry.shopBillID ?? "") stands there twice")
                }
            } else {
                bills.append(entry)
            }
        }
        return bills.sorted { ($0.shopBillID ?? "").precedesAsNumber($1.shopBillID ?? "") }
    }
}

/// Returned amount, as the entries with negative amounts prove it.
public struct ReturnedAmount: Sendable, Equatable {
    /// In minor units.
    public let amount: MinorUnits
    /// Whether each entry has a number of its own, beside the bill's, so that their sum is what was given back. Otherwise ``amount`` is the
    /// largest of them: at least that much was given back, and no public source says more.
    public let isSum: Bool

    /// Computes the amount from the entries of returns. Nil if there are no entries.
    ///
    /// - Throws: ``EvidenceError`` where the sum is beyond every amount.
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
    /// Shorter ones first, then by their bytes: numbers ascending.
    fileprivate func precedesAsNumber(_ other: String) -> Bool {
        utf8.count == other.utf8.count ? utf8.lexicographicallyPrecedes(other.utf8) : utf8.count < other.utf8.count
    }
}
