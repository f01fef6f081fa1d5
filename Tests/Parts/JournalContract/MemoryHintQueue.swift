public import FoundationEssentials
public import PaymentRelay

extension MemoryJournal {
    struct HintKey: Hashable {
        let merchantReference: String
        let account: String
    }

    struct HintRow {
        var hint: GatewayHint
        var gateway: String
        var kind: FeedbackKind
        var isMixed = false
        var charges: [String] = []
        /// The number of hints that arrived since the last query; 0 during the cooldown.
        var times = 1
        var queriesInVain = 0
        /// The time at which the hint that has waited longest arrived, or `nil` during the cooldown.
        var waitingSince: Date?
        /// The time from which the hint may be leased, or at which the cooldown ends.
        var dueAt: Date
    }

    public func add(
        _ hint: GatewayHint, of gateway: String, charge: String?, kind: FeedbackKind, at moment: Date, limit: Int
    ) -> Bool {
        let key = HintKey(merchantReference: hint.merchantReference, account: hint.account)
        guard var row = hints[key] else {
            if !hasRoom(for: gateway, limit: limit) { deleteLongestRested(of: gateway, at: moment) }
            guard hasRoom(for: gateway, limit: limit) else { return false }
            hints[key] = HintRow(
                hint: hint, gateway: gateway, kind: kind, charges: charge.map { [$0] } ?? [],
                waitingSince: moment, dueAt: moment)
            return true
        }
        if let charge, !row.charges.contains(charge) {
            guard row.charges.count < PendingHint.chargeLimit else { return false }
            row.charges.append(charge)
        }
        row.isMixed = row.times > 0 && (row.isMixed || row.hint != hint)
        (row.hint, row.gateway) = (hint, gateway)
        row.kind = kind
        row.times += 1
        if row.waitingSince == nil {
            row.waitingSince = moment
            row.dueAt = max(row.dueAt, moment)
        }
        hints[key] = row
        return true
    }

    func leaseHints(of gateway: String?, limit: Int, at moment: Date, until expiry: Date) -> [PendingHint] {
        let due = hints.filter {
            $1.gateway == gateway && $1.waitingSince != nil && PendingHint.isDue($1.dueAt, at: moment)
        }.sorted {
            ($0.value.dueAt, $0.key.merchantReference, $0.key.account) < (
                $1.value.dueAt, $1.key.merchantReference, $1.key.account
            )
        }
        return due.prefix(limit).map { key, row in
            hints[key]?.dueAt = expiry
            return PendingHint(
                hint: row.hint, kind: row.kind, isMixed: row.isMixed, charges: row.charges, times: row.times,
                queriesInVain: row.queriesInVain, leaseExpiresAt: expiry)
        }
    }

    func end(_ pending: PendingHint, as end: HintEnd, at moment: Date) {
        let key = HintKey(merchantReference: pending.hint.merchantReference, account: pending.hint.account)
        guard var row = hints[key], row.waitingSince != nil, row.dueAt == pending.leaseExpiresAt else { return }
        let hasMore = row.times > pending.times
        switch end {
        case .answered:
            guard hasMore else {
                hints[key] = nil
                return
            }
            row.queriesInVain = 0
            row.dueAt = moment
        case .inVain(let rest):
            row.queriesInVain += 1
            row.dueAt = rest
        case .postponed(let later):
            row.dueAt = later
            hints[key] = row
            return
        }
        row.times -= pending.times
        row.charges.removeFirst(pending.charges.count)
        row.isMixed = row.isMixed && row.times > 1
        row.waitingSince = hasMore ? moment : nil
        hints[key] = row
    }

    private func hasRoom(for gateway: String, limit: Int) -> Bool {
        hints.count < limit || hints.values.count { $0.gateway == gateway } < limit
    }

    /// Deletes the row whose cooldown ended first, of those whose cooldown is over.
    private func deleteLongestRested(of gateway: String, at moment: Date) {
        let rested = hints.filter { $1.gateway == gateway && $1.waitingSince == nil && $1.dueAt <= moment }
        if let longest = rested.min(by: { $0.value.dueAt < $1.value.dueAt }) { hints[longest.key] = nil }
    }

    func deleteRestedHints(before moment: Date) {
        hints = hints.filter { $1.waitingSince != nil || $1.dueAt >= moment }
    }
}
