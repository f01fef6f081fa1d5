public import FoundationEssentials
import PayrelayPrimitives

/// A journal in memory, for tests and for `payrelay dev`. What it holds ends with the process.
public actor MemoryJournal: Journal {
    struct Entry {
        var payment: Payment
        let token: TokenDigest?
        let idempotencyKey: String?
        var history: [HistoryEntry]
        var events = EventQueue()
        var attempts: [Int: EventProgress.Attempts] = [:]
        var queries: [QueryWithoutChange] = []
        var searchKeys: Set<SearchKey> = []

        mutating func add(_ entry: HistoryEntry) {
            addSearchKeys(of: entry)
            var numbered = entry.withoutSearchKeys
            numbered.number = (history.last?.number ?? 0) + 1
            history.append(numbered)
            if entry.event != nil { events.add(at: entry.at) }
            if entry.endsUnsent, let (begin, end) = RepeatedAttempt.merged(history.suffix(RepeatedAttempt.entries)) {
                let gone = history.suffix(RepeatedAttempt.entries).prefix(2).map(\.number)
                queries.removeAll { gone.contains($0.afterEntry) }
                history.replaceSubrange((history.count - RepeatedAttempt.entries)..., with: [begin, end])
            }
        }
    }

    var entries: [String: Entry] = [:]
    /// See ``CertificateUseLog``.
    var certificateUses: [Base64Text: CalendarDay] = [:]
    /// See ``HintQueue``.
    var hints: [HintKey: HintRow] = [:]
    var ledger: [LedgerRow] = []
    private var tokens: Set<TokenDigest> = []
    private var idempotencyKeys: Set<String> = []

    public init() {}

    public func claim(_ claim: Claim) -> ClaimResult {
        let known = entries[claim.payment.merchantReference]
        let conflict = claim.conflict(
            with: known.map { .success($0.payment) }, isTokenUsed: { claim.token.map(tokens.contains) ?? false },
            isKeyTaken: { idempotencyKeys.contains($0) })
        if let conflict { return conflict }
        if let key = claim.idempotencyKey { idempotencyKeys.insert(key) }
        if let token = claim.token { tokens.insert(token) }
        var payment = claim.payment
        payment.version = (known?.payment.version ?? 0) + 1
        var entry = Entry(
            payment: payment, token: claim.token, idempotencyKey: claim.idempotencyKey,
            history: known?.history ?? [], events: known?.events ?? EventQueue(), attempts: known?.attempts ?? [:],
            queries: known?.queries ?? [])
        entry.add(claim.entry)
        entries[payment.merchantReference] = entry
        return .claimed(inPlaceOf: known?.payment)
    }

    public func record(_ payment: Payment, because entry: HistoryEntry) -> Bool {
        guard entries[payment.merchantReference] == nil else { return false }
        var payment = payment
        payment.version = 1
        var new = Entry(payment: payment, token: nil, idempotencyKey: nil, history: [])
        new.add(entry)
        entries[payment.merchantReference] = new
        add(
            Movement.made(from: nil, to: payment.state, payment.balance, of: payment.amount), of: payment, at: entry.at,
            entry: 1)
        return true
    }

    public func transition(_ payment: Payment, receipt: [UInt8]?, because entry: HistoryEntry) -> Bool {
        guard var known = entries[payment.merchantReference], known.payment.state == payment.state,
            known.payment.claimedAt == payment.claimedAt
        else { return false }
        known.payment.state = entry.state
        known.payment.balance = entry.balance
        known.payment.version += 1
        known.payment.receipt = receipt
        known.add(entry)
        if entry.state.freesTokenAndKey {
            if let token = known.token { tokens.remove(token) }
            if let key = known.idempotencyKey { idempotencyKeys.remove(key) }
        }
        entries[payment.merchantReference] = known
        add(
            Movement.made(from: payment, to: entry.state, entry.balance, of: payment.amount), of: payment, at: entry.at,
            entry: known.payment.version)
        return true
    }

    public func compareAndSet(_ old: Payment, to new: Payment, because entry: HistoryEntry) -> Bool {
        guard var known = entries[old.merchantReference], known.payment.version == old.version,
            known.payment.lease.number == old.lease.number
        else { return false }
        known.payment = new
        known.payment.version = old.version + 1
        if !new.holdsCustomerData { known.eraseCustomersKeys() }
        known.add(entry)
        entries[old.merchantReference] = known
        add(
            Movement.made(from: old, to: new.state, new.balance, of: old.amount), of: old, at: entry.at,
            entry: known.payment.version)
        return true
    }

    public func payment(_ merchantReference: String) -> Payment? {
        entries[merchantReference]?.payment
    }

    public func history(of merchantReference: String) -> [HistoryEntry] {
        entries[merchantReference]?.history ?? []
    }

    public func redactEvent(_ number: Int, of merchantReference: String, to event: [UInt8]) {
        guard let history = entries[merchantReference]?.history,
            let place = history.firstIndex(where: { $0.number == number && $0.event != nil })
        else { return }
        entries[merchantReference]?.history[place] = history[place].replacingEvent(with: event)
    }

    public func lease(limit: Int, at moment: Date, until expiry: Date) -> [Payment] {
        let due = entries.values.map(\.payment).filter { $0.isOpen && $0.lease.expiresAt <= moment }
        let longestExpired = due.sorted {
            ($0.lease.expiresAt, $0.merchantReference) < ($1.lease.expiresAt, $1.merchantReference)
        }
        return longestExpired.prefix(limit).map { payment in
            var leased = payment
            leased.lease = Lease(number: payment.lease.number + 1, expiresAt: expiry)
            entries[payment.merchantReference]?.payment = leased
            return leased
        }
    }

    public func release(_ merchantReference: String, lease: Lease, at moment: Date) {
        guard entries[merchantReference]?.payment.lease == lease else { return }
        entries[merchantReference]?.payment.lease = Lease(number: lease.number, expiresAt: moment)
    }

    public func openPayments(limit: Int) -> [Payment] {
        let open = entries.values.map(\.payment).filter(\.isOpen)
        return Array(open.sorted { $0.claimedAt < $1.claimedAt }.prefix(limit))
    }

    public func openSummary(overdueBefore moment: Date) -> OpenSummary {
        let since = entries.values.compactMap(\.payment.openSince)
        return OpenSummary(count: since.count, oldest: since.min(), overdue: since.count { $0 < moment })
    }

    public func paymentsHoldingCustomerData(
        claimedBefore moment: Date, after place: PaymentCursor?, limit: Int
    ) -> [PaymentCursor] {
        let settled = entries.values.map(\.payment).filter {
            !$0.isOpen && $0.holdsCustomerData && $0.claimedAt < moment
        }
        let places = settled.map { PaymentCursor(at: $0.claimedAt, merchantReference: $0.merchantReference) }
        return PaymentCursor.page(of: places, after: place, limit: limit)
    }

    /// A claim lasts as long as the process, at any time.
    public func checkDurability() {}

    public func purgeErased() {}
}
