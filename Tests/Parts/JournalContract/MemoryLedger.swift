public import FoundationEssentials
public import PaymentRelay
import PayrelayPrimitives

extension MemoryJournal {
    /// A movement and its place in the order of all movements.
    struct LedgerRow {
        let recorded: RecordedMovement
        let place: MovementCursor
    }

    /// - Parameter number: The number of the entry in the payment's history.
    func add(_ movements: [Movement], of payment: Payment, at moment: Date, entry number: Int) {
        for movement in movements {
            ledger.append(
                LedgerRow(
                    recorded: RecordedMovement(
                        at: moment, merchantReference: payment.merchantReference, account: payment.account,
                        currency: payment.currency, movement: movement),
                    place: MovementCursor(
                        at: moment, merchantReference: payment.merchantReference, entry: number,
                        kind: movement.kind.rawValue)))
        }
    }

    public func settlement(from start: Date, until end: Date) throws(JournalError) -> Settlement {
        var rows: [String: SettlementRow] = [:]
        for row in ledger where start <= row.recorded.at && row.recorded.at < end {
            let (movement, recorded) = (row.recorded.movement, row.recorded)
            let key = "\(movement.kind) \(recorded.currency) \(recorded.account.debugDescription)"
            var sum =
                rows[key]
                ?? SettlementRow(
                    account: recorded.account, currency: recorded.currency, kind: movement.kind.rawValue, count: 0,
                    amount: 0, unreadable: 0, unreadableReference: nil)
            sum.count += 1
            sum.amount += movement.amount.value
            rows[key] = sum
        }
        do throws(UnreadableRecord) {
            return try Settlement(rows.values) { _ in }
        } catch {
            throw .unreadable(error)
        }
    }

    public func movements(until end: Date, after place: MovementCursor, limit: Int) -> MovementPage {
        let later = ledger.filter { place.isBefore($0.place) && $0.recorded.at < end }
            .sorted { $0.place.isBefore($1.place) }
        let page = later.prefix(limit)
        return MovementPage(
            movements: page.map(\.recorded), next: page.count < limit ? nil : page.last?.place)
    }
}

extension MovementCursor {
    fileprivate func isBefore(_ other: MovementCursor) -> Bool {
        (at, merchantReference, entry, kind) < (other.at, other.merchantReference, other.entry, other.kind)
    }
}
