import ApplePayToken
import Foundation
import JournalContract
import Logging
import PayrelayPrimitives
import Synchronization
import Testing
import TokenMint

@testable import PaymentRelay

/// The payment processing certificates for which tokens arrive.
@Suite final class CertificateUseTests: Sendable {
    private let journal = MemoryJournal()
    private let clock = Mutex(Date(timeIntervalSince1970: 1_795_392_000 + 3_600))
    private let events = Mutex<[RelayEvent]>([])
    private let (old, new): (SandboxPKI, SandboxPKI)

    init() throws {
        (old, new) = try (.generate(), .generate())
    }

    private func certificate(_ pki: SandboxPKI) throws -> ProcessingCertificate {
        try ProcessingCertificate.all(inFile: Array(pki.pem(.merchant).utf8))[0]
    }

    private func relay(_ certificates: ProcessingCertificates, journal: (any Journal)? = nil) -> PaymentRelay {
        PaymentRelay(
            policy: .init(verifier: nil, notFoundAfter: .seconds(60), processingCertificates: certificates),
            journal: journal ?? self.journal, gateways: .only(ScriptedGateway()),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            now: { [self] in self.clock.withLock { $0 } },
            observe: { [self] event in self.events.withLock { $0.append(event) } })
    }

    private var unknown: [PaymentToken.Version] {
        events.withLock { $0 }.compactMap { if case .unknownCertificate(let version) = $0 { version } else { nil } }
    }

    /// Pays with a token for the certificate.
    private func pay(
        _ relay: PaymentRelay, for hash: Base64Text, reference: String = UUID().uuidString
    ) async throws -> PaymentReply {
        try await pay(relay, token(for: hash), reference: reference)
    }

    /// Verification is off in these tests, so the token needs no signature.
    private func token(for hash: Base64Text) throws -> PaymentToken {
        let transactionId = Array(UUID().uuidString.utf8.prefix(32))
        return try PaymentToken(json: [
            "paymentData": [
                "version": "EC_v1", "data": "AAAA", "signature": "AAAA",
                "header": [
                    "ephemeralPublicKey": "AAAA", "publicKeyHash": .string(hash.text),
                    "transactionId": .string(HexText(encoding: transactionId).text),
                ],
            ]
        ])
    }

    private func pay(
        _ relay: PaymentRelay, _ token: PaymentToken, reference: String = UUID().uuidString
    ) async throws -> PaymentReply {
        try await relay.pay(
            SampleRequest(
                reference: reference, token: token,
                fingerprint: RequestFingerprint(fields: [:], token: token.digest)))
    }

    @Test func aTokenMovesTheDayOfItsCertificateAlone() async throws {
        let (first, second) = try (certificate(old), certificate(new))
        let relay = relay([first, second])
        #expect(await relay.lastSeenOfCertificates() == [:])
        _ = try await pay(relay, for: first.publicKeyHash)
        #expect(await relay.lastSeenOfCertificates().mapValues(\.text) == [first.publicKeyHash: "2026-11-23"])
        clock.withLock { $0 += 86_400 }
        _ = try await pay(relay, for: second.publicKeyHash)
        #expect(
            await relay.lastSeenOfCertificates().mapValues(\.text)
                == [first.publicKeyHash: "2026-11-23", second.publicKeyHash: "2026-11-24"])
        #expect(unknown.isEmpty)
    }

    @Test func theJournalIsWrittenOnceForEachCertificateAndDay() async throws {
        let (first, second) = try (certificate(old), certificate(new))
        let counting = CountingJournal(inner: journal)
        let relay = relay([first, second], journal: counting)
        for _ in 0..<3 {
            for certificate in [first, second, first] { _ = try await pay(relay, for: certificate.publicKeyHash) }
            #expect(await relay.writeCertificateUse())
        }
        #expect(counting.uses.withLock { $0.count } == 2)
        clock.withLock { $0 += 86_400 }
        _ = try await pay(relay, for: first.publicKeyHash)
        #expect(await relay.writeCertificateUse())
        #expect(
            counting.uses.withLock { $0.map(\.lastSeen.text) }.sorted() == ["2026-11-23", "2026-11-23", "2026-11-24"])
    }

    @Test func aRestartAndAnotherInstanceKnowTheDay() async throws {
        let certificate = try certificate(old)
        let first = relay([certificate])
        _ = try await pay(first, for: certificate.publicKeyHash)
        #expect(await first.writeCertificateUse())
        let second = relay([certificate])
        #expect(await second.lastSeenOfCertificates().mapValues(\.text) == [certificate.publicKeyHash: "2026-11-23"])
        // A third instance does not write the day again.
        let counting = CountingJournal(inner: journal)
        let third = relay([certificate], journal: counting)
        _ = await third.lastSeenOfCertificates()
        _ = try await pay(third, for: certificate.publicKeyHash)
        #expect(await third.writeCertificateUse())
        #expect(counting.uses.withLock { $0.isEmpty })
    }

    @Test func itIsWrittenWithoutAPaymentsHelp() async throws {
        let certificate = try certificate(old)
        let relay = relay([certificate])
        let recording = Task { await relay.recordCertificateUse() }
        _ = try await pay(relay, for: certificate.publicKeyHash)
        while await journal.certificateUse().isEmpty { await Task.yield() }
        recording.cancel()
        await recording.value
    }

    @Test func aTokenForNoneOfThemIsPaidAndCounted() async throws {
        let relay = relay([try certificate(old)])
        let result = try await pay(relay, for: certificate(new).publicKeyHash)
        #expect(result.payment.state == .captured)
        #expect(unknown == [.ecV1])
        let rsa = try RSATokenMint().mint(TokenContents(amount: 10_000, currency: "AED"), signedAt: Date())
        _ = try await pay(relay, PaymentToken(json: rsa))
        #expect(unknown == [.ecV1, .rsaV1])
        #expect(await relay.lastSeenOfCertificates() == [:])
    }

    @Test func withoutCertificatesNothingIsWatched() async throws {
        let relay = relay([])
        _ = try await pay(relay, for: certificate(new).publicKeyHash)
        #expect(unknown.isEmpty)
    }

    @Test("S14: hostile hashes grow neither memory, journal nor log") func hostileHashesGrowNothing() async throws {
        let relay = relay([try certificate(old)])
        let watch = relay.certificateUse
        let moment = clock.withLock { $0 }
        var news = 0
        for number in 0..<250 {
            let hash = Base64Text(encoding: Array(repeating: UInt8(number), count: 32))
            if case .unknown(isNews: true) = watch.see(try token(for: hash), at: moment + Double(number)) { news += 1 }
        }
        #expect(news == 1)
        #expect(watch.pending.isEmpty && watch.lastSeen.isEmpty)
        #expect(await journal.certificateUse().isEmpty)
    }

    @Test func aJournalThatCannotWriteItFailsNoPayment() async throws {
        let certificate = try certificate(old)
        let counting = CountingJournal(inner: journal, isBroken: true)
        let relay = relay([certificate], journal: counting)
        #expect(try await pay(relay, for: certificate.publicKeyHash).payment.state == .captured)
        #expect(await !relay.writeCertificateUse())
        #expect(await relay.lastSeenOfCertificates().mapValues(\.text) == [certificate.publicKeyHash: "2026-11-23"])
        counting.isBroken.withLock { $0 = false }
        #expect(await relay.writeCertificateUse())
        #expect(await journal.certificateUse().count == 1)
    }
}

/// A journal that counts the writes about the use of certificates, or makes them fail.
private final class CountingJournal: ForwardingJournal {
    let inner: MemoryJournal
    let isBroken: Mutex<Bool>
    let uses = Mutex<[CertificateUse]>([])

    init(inner: MemoryJournal, isBroken: Bool = false) {
        self.inner = inner
        self.isBroken = Mutex(isBroken)
    }

    var target: any Journal { inner }

    func recordCertificateUse(_ use: CertificateUse) async throws(JournalError) {
        guard !isBroken.withLock({ $0 }) else { throw .unavailable(reason: "broken") }
        uses.withLock { $0.append(use) }
        await inner.recordCertificateUse(use)
    }

    func certificateUse() async throws(JournalError) -> [CertificateUse] {
        guard !isBroken.withLock({ $0 }) else { throw .unavailable(reason: "broken") }
        return await inner.certificateUse()
    }
}
