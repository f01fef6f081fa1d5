public import FoundationEssentials
public import PaymentRelay
import PayrelayPrimitives

/// A journal in memory, for the simulation and for tests that need no database. Its content ends with the process.
public actor MemoryJournal: Journal {
    struct Entry {
        var payment: Payment
        /// The claim's ``Change/tokenIdentifier``.
        var token: String?
        var history: [HistoryEntry]
        /// The ``Change/identifier`` of every written change.
        var changes: Set<Int> = []
        var events = EventQueue()
        var attempts: [Int: EventProgress.Attempts] = [:]
        var queries: [QueryWithoutChange] = []

        mutating func add(_ entry: HistoryEntry) {
            var numbered = entry
            numbered.number = (history.last?.number ?? 0) + 1
            history.append(numbered)
            if entry.event != nil { events.add(numbered.number, at: entry.at) }
            if entry.endsUnsent, let (begin, end) = UnsentAttempts.merged(history.suffix(UnsentAttempts.entries)) {
                let gone = history.suffix(UnsentAttempts.entries).prefix(2).map(\.number)
                queries.removeAll { gone.contains($0.afterEntry) }
                history.replaceSubrange((history.count - UnsentAttempts.entries)..., with: [begin, end])
            }
        }
    }

    var entries: [String: Entry] = [:]
    var hints: [HintKey: HintRow] = [:]
    var ledger: [LedgerRow] = []
    private var certificateUses: [Base64Text: CalendarDay] = [:]
    private var tokens: Set<String> = []
    private var keys: [String: KeyUse] = [:]

    public init() {}

    /// Loses the claims since a moment, as a standby does for which the primary did not wait.
    public func lose(claimedSince moment: Date) {
        for (reference, entry) in entries where entry.payment.claimedAt >= moment {
            entries[reference] = nil
            if let token = entry.token { tokens.remove(token) }
            keys = keys.filter { $0.value.merchantReference != reference }
        }
    }

    public func use(ofKey key: String) -> KeyUse? { keys[key] }

    public func commit(_ change: Change) -> CommitResult {
        let reference = change.after.merchantReference
        let known = entries[reference]
        if change.claimed == nil, change.before != nil, let known, known.changes.contains(change.identifier) {
            return .written
        }
        let token = change.tokenIdentifier
        let obstacle = change.obstacle(
            known: known.map { .success($0.payment) }, keyUse: { keys[$0] },
            isTokenUsed: { token.map(tokens.contains) ?? false })
        if let obstacle { return obstacle }
        var entry = Entry(payment: change.after, token: known?.token, history: [])
        if let known {
            entry = known
            if change.claimed != nil { entry.token = nil }
            entry.payment = change.after
            // The holder of a lease may give it up. A lease of another instance stays.
            if change.claimed == nil, known.payment.isOpen,
                known.payment.lease != change.before?.lease || change.after.lease == change.before?.lease
            {
                entry.payment.lease = known.payment.lease
            }
        }
        if let token { entry.token = token }
        if !entry.payment.isOpen { entry.payment.lease = Lease(number: 0, expiresAt: entry.payment.claimedAt) }
        if let redaction = change.redaction { entry.redact(redaction) }
        entry.add(HistoryEntry(of: change))
        entry.changes.insert(change.identifier)
        if let token { tokens.insert(token) }
        if change.releasesToken, let held = entry.token {
            tokens.remove(held)
            entry.token = nil
        }
        entries[reference] = entry
        switch change.keyChange {
        case nil: break
        case .taken(let key, let operation): keys[key] = KeyUse(of: reference, operation: operation)
        case .releasedByOperation(let key): keys[key] = nil
        case .releasedByCharge: keys = keys.filter { $0.value != KeyUse(of: reference) }
        }
        let movements = Movement.made(
            from: change.claimed == nil ? change.before : nil, to: change.after.state, change.after.balance,
            of: change.after.amount)
        add(movements, of: change.after, at: change.at, entry: change.after.version)
        return .written
    }

    public func payments(_ merchantReferences: [String]) -> [Result<Payment, UnreadableRecord>] {
        Set(merchantReferences).compactMap { entries[$0].map { .success($0.payment) } }
    }

    public func history(of merchantReference: String) -> [HistoryEntry] {
        entries[merchantReference]?.history ?? []
    }

    public func list(_ list: PaymentList, after place: PaymentCursor?, limit: Int) -> [PaymentCursor] {
        let all = entries.values.compactMap { entry in
            let payment = entry.payment
            let at: Date? =
                switch list {
                case .open: payment.openSince
                case .holdingCustomerData(let moment):
                    !payment.isOpen && payment.holdsCustomerData && payment.claimedAt < moment
                        ? payment.claimedAt : nil
                case .withEvents(let since): entry.history.first { $0.event != nil && $0.at >= since }?.at
                case .deadLettered: entry.events.isDeadLettered ? entry.events.waitingSince : nil
                case .undelivered(let moment):
                    entry.events.isDeadLettered ? nil : entry.events.waitingSince.flatMap { $0 < moment ? $0 : nil }
                }
            return at.map { PaymentCursor(at: $0, merchantReference: payment.merchantReference) }
        }
        let later = all.filter { place?.isBefore($0) ?? true }
        return Array(later.sorted { $0.isBefore($1) }.prefix(limit))
    }

    public func summary(notOverdueIn range: ClosedRange<Date>) -> JournalSummary {
        let since = entries.values.compactMap(\.payment.openSince)
        let waiting = entries.values.map(\.events).filter { $0.waitingSince != nil }
        let hinted = hints.values.compactMap(\.waitingSince)
        return JournalSummary(
            payments: OpenSummary(
                count: since.count, oldest: since.min(), overdue: since.count { !range.contains($0) }),
            events: EventSummary(
                undelivered: waiting.count, oldest: waiting.compactMap(\.waitingSince).min(),
                deadLettered: waiting.count(where: \.isDeadLettered)),
            hints: HintSummary(count: hinted.count, oldest: hinted.min()))
    }

    public func lease<Work: LeasedWork>(
        _ kind: Work.Type, of gateway: String?, limit: Int, at moment: Date, until expiry: Date
    ) -> [Work] {
        let work: [any LeasedWork] =
            switch kind {
            case is Payment.Type: leasePayments(of: gateway, limit: limit, at: moment, until: expiry)
            case is DueEvent.Type: leaseEvents(limit: limit, at: moment, until: expiry)
            default: leaseHints(of: gateway, limit: limit, at: moment, until: expiry)
            }
        return work.compactMap { $0 as? Work }
    }

    public func end<Work: LeasedWork>(_ work: Work, as end: Work.End, at moment: Date) {
        switch (work, end) {
        case (let payment as Payment, .postponed(let later) as Payment.LeaseEnd):
            guard entries[payment.merchantReference]?.payment.lease == payment.lease else { return }
            entries[payment.merchantReference]?.payment.lease = Lease(number: payment.lease.number, expiresAt: later)
        case (let event as DueEvent, let end as DueEvent.End): self.end(event, as: end, at: moment)
        case (let hint as PendingHint, let end as HintEnd): self.end(hint, as: end, at: moment)
        default: break
        }
    }

    private func leasePayments(of gateway: String?, limit: Int, at moment: Date, until expiry: Date) -> [Payment] {
        let due = entries.values.map(\.payment).filter {
            $0.isOpen && $0.gateway == gateway && Payment.isDue($0.lease.expiresAt, at: moment)
        }
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

    public func record(_ query: QueryWithoutChange, of merchantReference: String) {
        guard var entry = entries[merchantReference], entry.history.contains(where: { $0.number == query.afterEntry })
        else {
            return
        }
        if let place = entry.queries.firstIndex(where: {
            $0.afterEntry == query.afterEntry && $0.requester == query.requester
        }) {
            entry.queries[place] = entry.queries[place].adding(query)
        } else {
            entry.queries.append(query)
            let others = entry.queries.indices.filter { entry.queries[$0].afterEntry == query.afterEntry }
            if others.count > QueryWithoutChange.requestersKept,
                let longestAgo = others.min(by: { entry.queries[$0].last < entry.queries[$1].last })
            {
                entry.queries.remove(at: longestAgo)
            }
        }
        entries[merchantReference] = entry
    }

    public func queriesWithoutChange(of merchantReferences: [String]) -> [String: [QueryWithoutChange]] {
        let known = merchantReferences.map { reference in
            let queries = (entries[reference]?.queries ?? []).sorted {
                ($0.afterEntry, $0.first, $0.requester.text) < ($1.afterEntry, $1.first, $1.requester.text)
            }
            return (reference, queries)
        }
        return Dictionary(known.filter { !$0.1.isEmpty }) { $1 }
    }

    public func recordCertificateUse(_ use: CertificateUse) {
        let known = certificateUses[use.publicKeyHash]
        certificateUses[use.publicKeyHash] = max(known ?? use.lastSeen, use.lastSeen)
    }

    public func certificateUse() -> [CertificateUse] {
        let all = certificateUses.map { CertificateUse(publicKeyHash: $0.key, lastSeen: $0.value) }
        let latest = all.sorted {
            ($1.lastSeen, $0.publicKeyHash.text) < ($0.lastSeen, $1.publicKeyHash.text)
        }
        return Array(latest.prefix(CertificateUse.limit))
    }

    /// A claim lasts as long as the process, so there is never a gap.
    @discardableResult public func checkDurability() -> [DurabilityGap] { [] }

    public func purge(at moment: Date) { deleteRestedHints(before: moment - 86_400) }
}

extension PaymentCursor {
    fileprivate func isBefore(_ other: PaymentCursor) -> Bool {
        (at, merchantReference) < (other.at, other.merchantReference)
    }
}

extension HistoryEntry {
    /// Makes the entry that a change adds to the history.
    public init(of change: Change) {
        self.init(
            at: change.at, state: change.after.state, balance: change.after.balance, source: change.origin.source,
            kind: change.kind, operation: change.operation, reason: change.reason,
            requestIdentifier: change.origin.request, operatorName: change.origin.operatorName, event: change.event,
            note: change.note)
    }
}

/// Conveniences that every journal has, without the errors.
extension MemoryJournal {
    /// Whether the journal holds no payment.
    public var isEmpty: Bool { entries.isEmpty }

    public func claim(_ claim: Change) async -> CommitResult {
        (try? await commit(claim: claim).result) ?? .versionChanged
    }

    public func payment(_ merchantReference: String) async -> Payment? { entries[merchantReference]?.payment }

    public func openPayments(limit: Int) async -> [Payment] {
        list(.open, after: nil, limit: limit).compactMap { entries[$0.merchantReference]?.payment }
    }

    public func openSummary(overdueBefore moment: Date) async -> OpenSummary {
        summary(notOverdueIn: moment...Date.distantFuture).payments
    }
    public func eventSummary() async -> EventSummary { summary(notOverdueIn: Self.anyTime).events }
    public func hintSummary() async -> HintSummary { summary(notOverdueIn: Self.anyTime).hints }
    private static let anyTime = Date.distantPast...Date.distantFuture
}
