import FoundationEssentials
import PayrelayPrimitives
import SandboxParts

/// The sandbox's bills, by their numbers and by the numbers of their orders. A new bill may replace the oldest, which is then not
/// found any more.
///
/// One order may have several bills: no public source says that Portmone takes an order's number once.
actor BillBooks {
    /// Bill numbers of an order, and the count of its charge requests.
    private struct Order {
        /// Ascending.
        var bills: [Int] = []
        var chargeRequests = 0
    }

    private var ring: NumberedRing<PortmoneBill>
    /// By payee and order number.
    private var orders: [OrderKey: Order] = [:]
    /// Apple's names of the payments of remembered bills. A token is good once.
    private var transactionIdentifiers: Set<String> = []
    /// How many returns there ever were.
    private var returnCount = 0

    struct OrderKey: Hashable {
        let payeeId: String
        let shopOrderNumber: String
    }

    /// The most bills of one order that are found.
    static let billsOfOrderLimit = 1_000
    /// The most returns of one bill.
    static let returnLimit = 1_000

    /// - Parameter limit: the most bills to remember, at least one.
    init(limit: Int) {
        ring = NumberedRing(limit: limit)
    }

    var numbers: Range<Int> { ring.numbers }

    /// The remembered bills among these numbers, ascending, and how many valid requests to charge its order arrived.
    func bills(in numbers: Range<Int>) -> [(bill: PortmoneBill, chargeRequests: Int)] {
        ring.entries(in: numbers).map { ($0, orders[key(of: $0)]?.chargeRequests ?? 0) }
    }

    /// The bills of an order, the oldest first.
    func bills(_ key: OrderKey) -> [PortmoneBill] {
        (orders[key]?.bills ?? []).suffix(Self.billsOfOrderLimit).map { ring[$0] }
    }

    /// Nil where it is not remembered, or is another payee's.
    func bill(_ shopBillId: String, of payeeId: String) -> PortmoneBill? {
        guard let number = PortmoneBill.number(shopBillId), numbers.contains(number), ring[number].payeeId == payeeId
        else { return nil }
        return ring[number]
    }

    /// The latest bill with this name and of this order, of any payee, and how many valid requests to charge its order arrived. Nil
    /// leaves either open.
    func latest(shopBillId: String?, shopOrderNumber: String?) -> (bill: PortmoneBill, chargeRequests: Int)? {
        let number = numbers.last { number in
            (shopBillId?.isExactly(ring[number].shopBillId) ?? true)
                && (shopOrderNumber?.isExactly(ring[number].shopOrderNumber) ?? true)
        }
        return number.flatMap { bills(in: $0..<$0 + 1).first }
    }

    /// Enters a charge: one bill, or two where the order is to be paid twice.
    ///
    /// - Returns: the first of them.
    /// - Throws: where a bill that was paid with its token is remembered; nothing is entered then.
    func enter(_ charge: PortmoneCharge, at moment: Date) throws(GatewayError) -> PortmoneBill {
        let key = OrderKey(payeeId: charge.payeeId, shopOrderNumber: charge.shopOrderNumber)
        guard !transactionIdentifiers.contains(charge.transactionIdentifier) else {
            orders[key]?.chargeRequests += 1
            throw .tokenUsed
        }
        transactionIdentifiers.insert(charge.transactionIdentifier)
        let bill = PortmoneBill(charge, number: ring.count, at: moment)
        append(bill, key)
        orders[key]?.chargeRequests += 1
        if charge.outcome == .paidTwice { append(PortmoneBill(charge, number: ring.count, at: moment), key) }
        return bill
    }

    private func append(_ bill: PortmoneBill, _ key: OrderKey) {
        orders[key, default: Order()].bills.append(bill.number)
        guard let forgotten = ring.append(bill) else { return }
        let oldKey = self.key(of: forgotten)
        // It is the oldest of its order, too.
        orders[oldKey]?.bills.removeFirst()
        if orders[oldKey]?.bills.isEmpty == true { orders[oldKey] = nil }
        // The second bill of a payment comes right after its first, and has its name.
        if ring[numbers.lowerBound].transactionIdentifier != forgotten.transactionIdentifier {
            transactionIdentifiers.remove(forgotten.transactionIdentifier)
        }
    }

    private func key(of bill: PortmoneBill) -> OrderKey {
        OrderKey(payeeId: bill.payeeId, shopOrderNumber: bill.shopOrderNumber)
    }

    /// Carries out a capture, a void, a refund or the closing of an invoice.
    ///
    /// - Parameter takingWholeHold: whether a capture takes all that is held, whatever it asks for.
    /// - Returns: the bill afterwards.
    func carryOut(
        _ operation: PortmoneOperation, takingWholeHold: Bool = false, at moment: Date
    ) throws(GatewayError) -> PortmoneBill {
        let number = try find(operation)
        if operation.kind == .return {
            guard ring[number].returns.count < Self.returnLimit else { throw .tooManyReturns }
        }
        try ring[number].carryOut(operation, at: moment, returnNumber: returnCount)
        if takingWholeHold, operation.kind == .confirmPreauth { ring[number].paid = ring[number].amount }
        if operation.kind == .return { returnCount += 1 }
        return ring[number]
    }

    /// Of several bills of an order, the latest whose status allows the operation; where none does, the latest.
    private func find(_ operation: PortmoneOperation) throws(GatewayError) -> Int {
        if let shopBillId = operation.shopBillId {
            guard let bill = bill(shopBillId, of: operation.payeeId),
                operation.shopOrderNumber.map({ $0.isExactly(bill.shopOrderNumber) }) ?? true
            else { throw .notFound }
            return bill.number
        }
        let key = OrderKey(payeeId: operation.payeeId, shopOrderNumber: operation.shopOrderNumber ?? "")
        let bills = orders[key]?.bills ?? []
        guard let number = bills.last(where: { ring[$0].status == operation.kind.status }) ?? bills.last else {
            throw .notFound
        }
        return number
    }
}
