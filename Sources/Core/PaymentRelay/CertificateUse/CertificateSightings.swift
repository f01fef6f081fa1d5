import PayrelayPrimitives

/// The last day with a token for each configured certificate, as far as this instance knows, and the days that are not
/// yet in the journal. It holds configured certificates alone, so that no client can make it grow.
struct CertificateSightings {
    private(set) var lastSeen: [Base64Text: CalendarDay] = [:]
    private var unwritten: Set<Base64Text> = []

    /// Records that a token for a configured certificate was seen.
    ///
    /// - Returns: whether that is the first of its day, and therefore to be written.
    mutating func see(_ hash: Base64Text, on day: CalendarDay) -> Bool {
        guard lastSeen[hash].map({ $0 < day }) ?? true else { return false }
        lastSeen[hash] = day
        unwritten.insert(hash)
        return true
    }

    /// Uses that are not yet in the journal.
    var pending: [CertificateUse] {
        unwritten.compactMap { hash in lastSeen[hash].map { CertificateUse(publicKeyHash: hash, lastSeen: $0) } }
    }

    /// Marks a use as written to the journal. A later day that was seen meanwhile is still to be written.
    mutating func wrote(_ use: CertificateUse) {
        if lastSeen[use.publicKeyHash] == use.lastSeen { unwritten.remove(use.publicKeyHash) }
    }

    /// Takes over what the journal knows of these certificates, from earlier processes and from other instances.
    mutating func adopt(_ known: [CertificateUse], of configured: Set<Base64Text>) {
        for use in known where configured.contains(use.publicKeyHash) {
            let own = lastSeen[use.publicKeyHash]
            guard own.map({ $0 <= use.lastSeen }) ?? true else { continue }
            lastSeen[use.publicKeyHash] = use.lastSeen
            unwritten.remove(use.publicKeyHash)
        }
    }
}
