import FoundationEssentials
import PaymentRelay
import PayrelayPrimitives
import PortmoneAPI

/// Asks `result` about an order, and says what the answer proves.
struct OrderQuestion {
    let client: PortmoneClient
    let identity: PaymentIdentity
    let period: ResultPeriod
    /// The number of the payment's own bill, where it is known.
    let ownBill: String?
    /// See ``PortmoneAPI/OrderState/init(_:for:own:isOperatedOn:)``.
    var isOperatedOn = false

    /// Asks by the order's number, so that every bill of the order is seen.
    ///
    /// One entry that is about something else makes the whole answer prove nothing, but for an unpaid try of another amount. An empty
    /// list names no order, and a bill may be late: it counts where Portmone says it twice.
    func ask(until deadline: Deadline) async -> Outcome<OrderState> {
        let answered = await askOnce(until: deadline)
        return answered == .answered(.notFound) ? await askOnce(until: deadline) : answered
    }

    private func askOnce(until deadline: Deadline) async -> Outcome<OrderState> {
        guard let left = deadline.left else { return .unknown(reason: "there was no time left to ask Portmone") }
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
    /// When its first bill can have been made. One made elsewhere became known by a question about the last month.
    var firstBill: Date { isMadeElsewhere ? claimedAt - .seconds(31 * 86_400) : claimedAt }
}
