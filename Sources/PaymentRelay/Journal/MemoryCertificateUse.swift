import PayrelayPrimitives

extension MemoryJournal {
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
}
