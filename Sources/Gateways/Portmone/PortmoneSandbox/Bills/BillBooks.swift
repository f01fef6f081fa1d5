import FoundationEssentials
import PayrelayPrimitives
import SandboxParts

/// The sandbox's bills, by their numbers and by the numbers of their orders. When the books are full, a new bill
/// replaces the oldest, which is then no longer found.
///
/// An order may have several bills, because no public source says that Portmone accepts an order's number only
/// once.
actor BillBooks {
    /// The numbers of an order's bills, and the number of requests to charge the order.
    private struct Order {
        /// The bills' numbers, ascending.
        var bills: [Int] = []
        var chargeRequests = 0
    }

    private var ring: NumberedRing<PortmoneBill>
    /// The orders by payee and order number.
    private var orders: [OrderKey: Order] = [:]
    /// Apple's transaction identifiers of the remembered bills. A token can be used once.
    private var transactionIdentifiers: Set<String> = []
    /// The number of all returns so far.
    private var returnCount = 0

    struct OrderKey: Hashable {
        let payeeId: String
        let shopOrderNumber: String
    }

    /// The maximum number of bills of one order that are found.
    static let billsOfOrderLimit = 1_000
    /// The maximum number of returns of one bill.
    static let returnLimit = 1_000

    /// - Parameter limit: the maximum number of remembered bills, at least one.
    init(limit: Int) {
        ring = NumberedRing(limit: limit)
    }

    var numbers: Range<Int> { ring.numbers }

    /// Returns the remembered bills with these numbers, ascending, each with the number of valid requests to
    /// charge its order.
    func bills(in numbers: Range<Int>) -> [(bill: PortmoneBill, chargeRequests: Int)] {
        ring.entries(in: numbers).map { ($0, orders[key(of: $0)]?.chargeRequests ?? 0) }
    }

    /// Returns the bills of an order, the oldest first.
    func bills(_ key: OrderKey) -> [PortmoneBill] {
        (orders[key]?.bills ?? []).suffix(Self.billsOfOrderLimit).map { ring[$0] }
    }

    /// Returns a bill; `nil` if it is not remembered, or if it belongs to another payee.
    func bill(_ shopBillId: String, of payeeId: String) -> PortmoneBill? {
        guard let number = PortmoneBill.number(shopBillId), numbers.contains(number), ring[number].payeeId == payeeId
        else { return nil }
        return ring[number]
    }

    /// Returns the latest bill with this `shopBillId` and this order number, of any payee, with the number of
    /// valid requests to charge its order. A `nil` argument matches every bill.
    func latest(shopBillId: String?, shopOrderNumber: String?) -> (bill: PortmoneBill, chargeRequests: Int)? {
        let number = numbers.last { number in
            (shopBillId?.isExactly(ring[number].shopBillId) ?? true)
                && (shopOrderNumber?.isExactly(ring[number].shopOrderNumber) ?? true)
        }
        return number.flatMap { bills(in: $0..<$0 + 1).first }
    }

    /// Records a charge as one bill, or as two bills if the order is to be paid twice.
    ///
    /// - Returns: the first bill.
    /// - Throws: ``GatewayError`` if a bill that was paid with the same token is remembered. Nothing is recorded
    ///   then.
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
        // The bill is also the oldest bill of its order.
        orders[oldKey]?.bills.removeFirst()
        if orders[oldKey]?.bills.isEmpty == true { orders[oldKey] = nil }
        // The second bill of a payment directly follows the first, and has the same transaction identifier.
        if ring[numbers.lowerBound].transactionIdentifier != forgotten.transactionIdentifier {
            transactionIdentifiers.remove(forgotten.transactionIdentifier)
        }
    }

    private func key(of bill: PortmoneBill) -> OrderKey {
        OrderKey(payeeId: bill.payeeId, shopOrderNumber: bill.shopOrderNumber)
    }

    /// Carries out a capture, a void, a refund or the closing of an invoice.
    ///
    /// - Parameter takingWholeHold: whether a capture takes the whole held amount, even if it requests less.
    /// - Returns: the bill after the operation.
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

    /// Returns the number of the bill to operate on. If the request names only an order with several bills, it is
    /// the latest bill whose status allows the operation, or else the latest bill.
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
