import Crypto
import Foundation
import OutboundHTTP
import PayrelayPrimitives
import TestPrograms
import Testing
import TokenMint
import X509

/// Renewals of the merchant's certificates, without a restart.
@Suite struct CertificateRenewalTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Sends SIGHUP and waits for a new line of the log with this text.
    private func reload(_ relay: RunningRelay, until text: String) async throws {
        func count() -> Int { relay.program.lines.count { $0.contains(text) } }
        let before = count()
        relay.program.signal(SIGHUP)
        try await relay.program.wait(for: text) { count() > before }
    }

    /// Returns the hash of a merchant's key, computed without the relay's code: with swift-crypto from the private key.
    private func hash(_ pki: SandboxPKI) -> String {
        Base64Text(encoding: Array(SHA256.hash(data: pki.merchantKey.publicKey.derRepresentation))).text
    }

    private func series(_ metric: String, _ kind: String, _ hash: String) -> String {
        "payrelay_certificate_\(metric)_timestamp_seconds{kind=\"\(kind)\",public_key_hash=\"\(hash)\"}"
    }

    /// Pays with a token for the certificate. It does not matter whether the sandbox can decrypt the token.
    private func pay(_ relay: RunningRelay, for hash: String) async throws -> Int {
        let body = try Orders.body().with([
            "token": try Orders.token().changing(["paymentData", "header", "publicKeyHash"]) { _ in hash }
        ])
        return try await relay.post("/v1/payments", body.encoded()).status
    }

    @Test func aRenewalOfTheProcessingCertificateIsWatchedFromTheFirstTokenToTheLast() async throws {
        let (old, new) = (SandboxPKI.published, try SandboxPKI.generate())
        let (oldHash, newHash) = (hash(old), hash(new))
        let file = try folder.file("processing.pem", old.pem(.merchant))
        let settings = [
            "PAYRELAY_TOKEN_PROCESSING_CERTIFICATE_FILES": file,
            "PAYRELAY_TOKEN_UNKNOWN_PROCESSING_CERTIFICATES": "accepted",
        ]
        let first = try await RunningRelay(settings)
        let kind = "payment_processing"
        #expect(
            try await first.metric(series("not_after", kind, oldHash))
                == Int(old.merchant.notValidAfter.timeIntervalSince1970))
        #expect(try await first.metric(series("last_token", kind, oldHash)) == nil)

        let before = CalendarDay(Date())
        #expect(try await pay(first, for: oldHash) == 200)
        func isToday(_ metric: Int?) -> Bool {
            metric.map { [before, CalendarDay(Date())].map { Int($0.start().timeIntervalSince1970) }.contains($0) }
                ?? false
        }
        #expect(isToday(try await first.metric(series("last_token", kind, oldHash))))

        // A token for a certificate that is not configured is counted, and logged once. With these settings it is relayed.
        let unknown = #"payrelay_tokens_for_unknown_certificates_total{version="EC_v1"}"#
        #expect(try await first.metric(unknown) == 0)
        for _ in 0..<3 { #expect(try await pay(first, for: newHash) == 200) }
        #expect(try await first.metric(unknown) == 3)
        let warning = "payment processing certificate that is not configured"
        try await first.program.wait(toPrint: warning)
        #expect(first.program.lines.count { $0.contains(warning) } == 1)

        // If the new file is faulty, the old certificates stay in use.
        let succeeded = #"payrelay_last_reload_successful{part="processing_certificates"}"#
        try (old.pem(.merchant) + "\n" + new.pem(.merchant).dropLast(40))
            .write(toFile: file, atomically: true, encoding: .utf8)
        try await reload(
            first, until: "payment processing certificates not reloaded; the previous version stays in use")
        #expect(try await first.metric(succeeded) == 0)
        #expect(try await first.metric(series("not_after", kind, oldHash)) != nil)

        try (old.pem(.merchant) + "\n" + new.pem(.merchant)).write(toFile: file, atomically: true, encoding: .utf8)
        try await reload(first, until: "payment processing certificates reloaded")
        #expect(try await first.metric(succeeded) == 1)
        #expect(try await first.metric(series("last_token", kind, newHash)) == nil)
        #expect(try await pay(first, for: newHash) == 200)
        #expect(try await first.metric(unknown) == 3)
        #expect(isToday(try await first.metric(series("last_token", kind, newHash))))
        first.program.signal(SIGTERM)
        #expect(try await first.program.end() == 0)

        // A restart keeps both days.
        let second = try await RunningRelay(after: first, settings)
        for hash in [oldHash, newHash] {
            #expect(isToday(try await second.metric(series("last_token", kind, hash))))
        }
        let listed = try await second.admin("/ready").json?["certificates"]?.arrayValue ?? []
        #expect(Set(listed.compactMap { $0["public_key_hash"]?.stringValue }) == [oldHash, newHash])
        #expect(listed.allSatisfy { $0["kind"] == "payment_processing" && $0["last_seen"] != nil })
    }

    @Test func aTokenForNoConfiguredCertificateIsRefused() async throws {
        let file = try folder.file("processing.pem", SandboxPKI.generate().pem(.merchant))
        let relay = try await RunningRelay(["PAYRELAY_TOKEN_PROCESSING_CERTIFICATE_FILES": file])
        let answer = try await relay.post("/v1/payments", try Orders.body().json.encoded())
        #expect(answer.status == 422)
        #expect(answer.json?["check"] == "publicKeyHash")
        #expect(try await relay.metric(#"payrelay_tokens_for_unknown_certificates_total{version="EC_v1"}"#) == 1)
    }

    /// The session host knows only the root of the new certificate, so its answer proves which certificate was shown.
    @Test func bothMerchantIdentitiesAreValidAtOnceAndTheNewestIsShown() async throws {
        let pki = folder.url.appending(path: "pki").path
        let sandbox = try await RunningSandbox(sessionCertificates: pki)
        var template = CertificateTemplate.merchantIdentity(SandboxPKI.published.merchantIdentifier)
        // This is before the start of the sandbox's certificate, in 2026.
        template.notBefore = Date(timeIntervalSince1970: 1_704_067_200)
        template.notAfter = Date() + 20.5 * 86_400
        let old = try SessionPKI(identity: template)
        let (new, newKey) = (
            try String(contentsOfFile: "\(pki)/merchant.pem", encoding: .utf8),
            try String(contentsOfFile: "\(pki)/merchant.key", encoding: .utf8)
        )
        let certificates = try folder.file("identity.pem", old.pem(.merchant))
        let keys = try folder.file("identity.key", old.pem(.merchantKey))
        let relay = try await RunningRelay(
            sandbox: sandbox,
            [
                "PAYRELAY_APPLE_PAY_IDENTITY_CERTIFICATE_FILE": certificates,
                "PAYRELAY_APPLE_PAY_IDENTITY_KEY_FILE": keys,
            ])
        let daysLeft = #"payrelay_own_certificate_days_left{certificate="merchant_identity"}"#
        let succeeded = #"payrelay_last_reload_successful{part="merchant_identity"}"#
        func ends() async throws -> Int {
            let text = String(decoding: try await relay.admin("/metrics").body, as: UTF8.self)
            return text.split(separator: "\n").count {
                $0.hasPrefix(#"payrelay_certificate_not_after_timestamp_seconds{kind="merchant_identity""#)
            }
        }
        #expect(try await relay.post("/v1/apple-pay/sessions", []).problem == "apple-unreachable")
        #expect(try await relay.metric(daysLeft) == 20)
        #expect(try await ends() == 1)

        // The file has the new certificate, but its key is missing.
        try (old.pem(.merchant) + "\n" + new).write(toFile: certificates, atomically: true, encoding: .utf8)
        try "no key".write(toFile: keys, atomically: true, encoding: .utf8)
        try await reload(relay, until: "merchant identity not reloaded; the previous version stays in use")
        #expect(try await relay.metric(succeeded) == 0)
        // The old identity, which is held in memory, is still in use, although its file is gone.
        #expect(try await relay.post("/v1/apple-pay/sessions", []).problem == "apple-unreachable")

        try (newKey + "\n" + old.pem(.merchantKey)).write(toFile: keys, atomically: true, encoding: .utf8)
        try await reload(relay, until: "merchant identity reloaded")
        #expect(try await relay.metric(succeeded) == 1)
        #expect(try await relay.post("/v1/apple-pay/sessions", []).status == 200)
        #expect(try await relay.metric(daysLeft) ?? 0 > 1_000)
        #expect(try await ends() == 2)
    }
}
