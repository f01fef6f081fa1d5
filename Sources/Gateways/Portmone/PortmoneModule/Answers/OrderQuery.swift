import FoundationEssentials
import PaymentRelay
import PayrelayPrimitives
import PortmoneAPI

/// A query of `result` about one order.
struct OrderQuery {
    let client: PortmoneClient
    let identity: PaymentIdentity
    let period: ResultPeriod
    /// The number of the payment's bill; `nil` if it is not known.
    let ownBill: String?
    /// See ``PortmoneAPI/OrderState/init(_:for:own:isOperatedOn:)``.
    var isOperatedOn = false

    /// Queries by the order's number, so that the answer contains every bill of the order.
    ///
    /// If one entry is about something else, the whole answer proves nothing. The exception is an unpaid earlier
    /// attempt with another amount or currency. An empty list does not name the order, and a bill may appear
    /// late, so an empty list counts only if Portmone answers it twice.
    func answer(until deadline: Deadline) async -> Outcome<OrderState> {
        let answered = await queryOnce(until: deadline)
        return answered == .answered(.notFound) ? await queryOnce(until: deadline) : answered
    }

    private func queryOnce(until deadline: Deadline) async -> Outcome<OrderState> {
        guard let left = deadline.left else { return .unknown(reason: "there was no time left to query Portmone") }
        let outcome = await client.send(ResultRequest(.order(identity.shopOrderNumber), in: period), timeout: left)
        guard case .answered(let answer) = outcome else { return outcome.map { _ in .notFound } }
        switch answer.content {
        case .nothing: return .unknown(reason: "Portmone answered result with nothing")
        case .failure(let failure, _): return .unknown(reason: "Portmone answered result with \(failure)")
        case .entries(let entries):
            do throws(EvidenceError) {
                return .answered(
                    try OrderState(entries, for: identity, own: ownBill, isOperatedOn: isOperatedOn))
            } catch {
                return .unknown(reason: "Portmone's answer proves nothing: \(error)")
            }
        }
    }
}

extension Payment {
    /// The earliest moment at which the payment's first bill can have been created. An external payment became
    /// known by a query about the last month.
    var firstBill: Date { isMadeElsewhere ? claimedAt - .seconds(31 * 86_400) : claimedAt }
}
