import ApplePayToken
import FoundationEssentials
import PayrelayPrimitives
import Synchronization

/// Records for which payment processing certificates tokens arrive. On a payment's path this only costs a
/// comparison with each configured certificate. Another task writes to the journal.
final class CertificateUseWatch: Sendable {
    /// Result of comparing a token's `publicKeyHash` with the configured certificates.
    enum Sighting: Equatable {
        /// No certificate is configured.
        case notWatched
        case known
        /// - Parameter isNews: whether no such token was seen for an hour, so that it should be logged.
        case unknown(isNews: Bool)
    }

    /// The state. It contains only configured certificates, so that no client can make it grow.
    private struct State {
        var lastSeen: [Base64Text: CalendarDay] = [:]
        /// The hashes of the public keys whose days in ``lastSeen`` are not yet in the journal.
        var unwritten: Set<Base64Text> = []
        var unknownLoggedAt: Date?
    }

    private let certificates: ProcessingCertificates
    private let state = Mutex(State())
    /// Yields when there is a use to write.
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

    /// Marks a use as written to the journal. If a later day was seen in the meantime, it is still to be written.
    func wrote(_ use: CertificateUse) {
        state.withLock { state in
            guard state.lastSeen[use.publicKeyHash] == use.lastSeen else { return }
            state.unwritten.remove(use.publicKeyHash)
        }
    }

    /// Adopts the days that the journal has for the configured certificates, from earlier processes and other
    /// instances.
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
