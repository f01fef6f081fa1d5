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

    private struct State {
        var sightings = CertificateSightings()
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
            if state.withLock({ $0.sightings.see(hash, on: CalendarDay(moment)) }) { change.yield() }
            return .known
        }
        let isNews = state.withLock { state in
            if let last = state.unknownLoggedAt, moment.timeIntervalSince(last) < Self.logInterval { return false }
            state.unknownLoggedAt = moment
            return true
        }
        return .unknown(isNews: isNews)
    }

    var pending: [CertificateUse] { state.withLock { $0.sightings.pending } }

    func wrote(_ use: CertificateUse) { state.withLock { $0.sightings.wrote(use) } }

    func adopt(_ known: [CertificateUse]) {
        let hashes = configuredHashes
        state.withLock { $0.sightings.adopt(known, of: hashes) }
    }

    /// The last day with a token, by the `publicKeyHash` of each configured certificate.
    var lastSeen: [Base64Text: CalendarDay] {
        let hashes = configuredHashes
        return state.withLock { $0.sightings.lastSeen }.filter { hashes.contains($0.key) }
    }

    var isWatching: Bool { !certificates.all.isEmpty }

    private var configuredHashes: Set<Base64Text> { Set(certificates.all.map(\.publicKeyHash)) }
}
