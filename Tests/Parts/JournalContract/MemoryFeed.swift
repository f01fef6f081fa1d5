import FoundationEssentials
public import PaymentRelay
import PayrelayPrimitives

extension MemoryJournal {
    public func changes(_ query: ChangeQuery) -> ChangePage {
        let found = entries.values.flatMap { $0.changes(ledger) }.filter { query.describes($0) }
            .sorted { $1.place < $0.place }
        let page = Array(found.prefix(query.limit))
        return ChangePage(changes: page, next: found.count > page.count ? page.last?.cursor : nil)
    }
}

extension MemoryJournal.Entry {
    fileprivate func changes(_ ledger: [MemoryJournal.LedgerRow]) -> [RecordedChange] {
        let movements = ledger.filter { $0.place.merchantReference == payment.merchantReference }
        var before: PaymentState?
        return history.map { entry in
            defer { before = entry.state }
            let made = movements.filter { $0.place.entry == entry.number }.map(\.recorded.movement)
            func moved(_ kind: Movement.Kind) -> MinorUnits { made.first { $0.kind == kind }?.amount ?? .zero }
            let balance = Balance(captured: moved(.charged), refunded: moved(.refunded))
            var entry = entry
            entry.event = nil
            entry.note = nil
            return RecordedChange(
                merchantReference: payment.merchantReference, currency: payment.currency, account: payment.account,
                gateway: payment.gateway, entry: entry, stateBefore: before, moved: balance)
        }
    }
}

extension ChangeQuery {
    fileprivate func describes(_ change: RecordedChange) -> Bool {
        let at = EpochMilliseconds(change.entry.at).milliseconds
        let name = change.entry.operatorName
        let isOperators =
            switch operators {
            case nil: true
            case .all: name != nil
            case .named(let wanted): name == wanted
            }
        return isOperators && kind.map(change.isOf) ?? true
            && (merchantReference == nil || change.merchantReference == merchantReference)
            && (account == nil || change.account == account)
            && (from.map { EpochMilliseconds($0).milliseconds <= at } ?? true)
            && (to.map { at < EpochMilliseconds($0).milliseconds } ?? true)
            && (after.map { change.place < ChangePlace($0) } ?? true)
    }
}

extension RecordedChange {
    fileprivate func isOf(_ kind: ChangeKind) -> Bool {
        guard let entryKind = kind.entryKind else { return stateBefore != entry.state }
        return entry.kind == entryKind
    }

    fileprivate var cursor: ChangeCursor {
        ChangeCursor(at: entry.at, merchantReference: merchantReference, number: entry.number)
    }

    fileprivate var place: ChangePlace { ChangePlace(cursor) }
}

/// The place of a change in the feed. Its time has milliseconds, as in every journal.
private struct ChangePlace: Comparable {
    let key: (Int, String, Int)

    init(_ cursor: ChangeCursor) {
        key = (EpochMilliseconds(cursor.at).milliseconds, cursor.merchantReference, cursor.number)
    }

    static func == (one: Self, other: Self) -> Bool { one.key == other.key }
    static func < (one: Self, other: Self) -> Bool { one.key < other.key }
}
