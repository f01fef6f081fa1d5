import ApplePayToken
import FoundationEssentials
import PayrelayPrimitives
import Synchronization

/// Notes for which payment processing certificates tokens arrive. On a payment's path this costs a comparison with each
/// configured certificate; the journal is written elsewhere.
final class CertificateUseWatch: Sendable {
    /// Result of comparing a token's `publicKeyHash` with the configured certificates.
    enum Sighting: Equatable {
        /// No certificate is configured.
        case notWatched
        case known
        /// - Parameter isNews: whether none was seen for an hour, so that the log should say it.
        case unknown(isNews: Bool)
    }

    /// It holds configured certificates alone, so that no client can make it grow.
    private struct State {
        var lastSeen: [Base64Text: CalendarDay] = [:]
        /// Those whose day is not yet in the journal.
        var unwritten: Set<Base64Text> = []
        var unknownLoggedAt: Date?
    }

    private let certificates: ProcessingCertificates
    private let state = Mutex(State())
    /// Yields when there is something to write.
    let changes: AsyncStream<Void>
    private let change: AsyncStream<Void>.Continuation

    private static let logInterval: TimeInterval = 3_600

    init(_ certificates: ProcessingCertificates) {
        self.certificates = certificates
        (changes, change) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    func see(_ token: PaymentToken, at moment: Date) -> Sighting {
        let configured = certificates.all
        guard !configured.isEmpty else { return .notWatched }
        let hash = token.header.publicKeyHash
        if configured.contains(where: { $0.publicKeyHash == hash }) {
            let day = CalendarDay(moment)
            let isFirstOfDay = state.withLock { state in
                guard state.lastSeen[hash].map({ $0 < day }) ?? true else { return false }
                state.lastSeen[hash] = day
                state.unwritten.insert(hash)
                return true
            }
            if isFirstOfDay { change.yield() }
            return .known
        }
        let isNews = state.withLock { state in
            if let last = state.unknownLoggedAt, moment.timeIntervalSince(last) < Self.logInterval { return false }
            state.unknownLoggedAt = moment
            return true
        }
        return .unknown(isNews: isNews)
    }

    /// Uses that are not yet in the journal.
    var pending: [CertificateUse] {
        state.withLock { state in
            state.unwritten.compactMap { hash in
                state.lastSeen[hash].map { CertificateUse(publicKeyHash: hash, lastSeen: $0) }
            }
        }
    }

    /// Marks a use as written to the journal. A later day that was seen meanwhile is still to be written.
    func wrote(_ use: CertificateUse) {
        state.withLock { state in
            guard state.lastSeen[use.publicKeyHash] == use.lastSeen else { return }
            state.unwritten.remove(use.publicKeyHash)
        }
    }

    /// Takes over what the journal knows of these certificates, from earlier processes and from other instances.
    func adopt(_ known: [CertificateUse]) {
        let hashes = configuredHashes
        state.withLock { state in
            for use in known where hashes.contains(use.publicKeyHash) {
                guard state.lastSeen[use.publicKeyHash].map({ $0 <= use.lastSeen }) ?? true else { continue }
                state.lastSeen[use.publicKeyHash] = use.lastSeen
                state.unwritten.remove(use.publicKeyHash)
            }
        }
    }

    /// The last day with a token, by the `publicKeyHash` of each configured certificate.
    var lastSeen: [Base64Text: CalendarDay] {
        let hashes = configuredHashes
        return state.withLock { $0.lastSeen }.filter { hashes.contains($0.key) }
    }

    var isWatching: Bool { !certificates.all.isEmpty }

    private var configuredHashes: Set<Base64Text> { Set(certificates.all.map(\.publicKeyHash)) }
}
