import Foundation
import OutboundHTTP
import PayrelayPrimitives
import TestPrograms
import Testing
import TokenMint

/// Apple Pay on the web: a relay with a merchant identity, and a session host that demands one.
@Suite struct ApplePaySessionTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Starts a sandbox whose certificates are in the folder.
    private func sandbox() async throws -> RunningSandbox {
        try await RunningSandbox(sessionCertificates: folder.url.appending(path: "pki").path)
    }

    /// Makes a certificate of another root, for the same merchant or another.
    private func foreignIdentity(of merchant: String) throws -> [String: String] {
        let foreign = folder.url.appending(path: merchant).path
        try SessionPKI(merchantIdentifier: merchant).write(to: foreign)
        return [
            "PAYRELAY_APPLE_PAY_IDENTITY_CERTIFICATE_FILE": "\(foreign)/merchant.pem",
            "PAYRELAY_APPLE_PAY_IDENTITY_KEY_FILE": "\(foreign)/merchant.key",
        ]
    }

    @Test("S1: a merchant session is passed on and not logged")
    func aPageGetsItsSessionAndTheLogDoesNotHoldIt() async throws {
        let relay = try await RunningRelay(sandbox: try await sandbox(), ["PAYRELAY_LOG_LEVEL": "trace"])
        let host = try #require(relay.sandbox.settings["PAYRELAY_APPLE_PAY_SESSION_HOST"])
        var secrets: [String] = []
        for body in [
            "", "{}", #"{"domain": "shop.example"}"#,
            #"{"validation_url": "https://\#(host)/paymentservices/startSession", "domain": "shop.example"}"#,
        ] {
            let answer = try await relay.post("/v1/apple-pay/sessions", Array(body.utf8))
            #expect(answer.status == 200, "\(String(decoding: answer.body, as: UTF8.self))")
            #expect(answer.json?["domainName"] == "shop.example")
            for name in ["merchantSessionIdentifier", "signature"] {
                secrets.append(String(try #require(answer.json?[name]?.stringValue).suffix(64)))
            }
            secrets.append(try #require(answer.json?["nonce"]?.stringValue))
        }
        let certificate = #"payrelay_own_certificate_days_left{certificate="merchant_identity"}"#
        #expect(try #require(try await relay.metric(certificate)) > 0)
        relay.program.signal(SIGTERM)
        #expect(try await relay.program.end() == 0)
        for secret in secrets { #expect(!relay.program.text.contains(secret)) }
    }

    @Test("S3: a page cannot make the relay connect to another host")
    func aPageCannotMakeTheRelayConnectElsewhere() async throws {
        let relay = try await RunningRelay(sandbox: try await sandbox())
        for url in [
            "https://evil.com/apple-pay-gateway.apple.com",
            "https://127.0.0.1:\(relay.port)/paymentservices/startSession",
            "https://apple-pay-gateway.apple.com/paymentservices/startSession",
        ] {
            let body: JSON = ["validation_url": .string(url), "domain": "evil.example"]
            let answer = try await relay.post("/v1/apple-pay/sessions", body.encoded())
            #expect(answer.status == 400)
            #expect(answer.faultyFields == ["validation_url", "domain"])
        }
    }

    @Test func aCertificateOfAnotherRootGetsNoSessionAndTheAnswerSaysWhy() async throws {
        let relay = try await RunningRelay(
            sandbox: try await sandbox(), foreignIdentity(of: SandboxPKI.published.merchantIdentifier))
        var details: [String] = []
        // The host closes the connection right after its alert, and the reset can overtake the alert. The relay then knows only
        // of the reset.
        while details.count < 20, details.last?.contains("unknown ca") != true {
            let answer = try await relay.post("/v1/apple-pay/sessions", [])
            #expect(answer.status == 503)
            #expect(answer.problem == "apple-unreachable")
            details.append(answer.json?["detail"]?.stringValue ?? "")
        }
        #expect(details.last?.contains("unknown ca") == true, "\(details)")
    }

    /// Apple's hosts are verified with the system's roots, which did not sign this host's certificate.
    @Test func aHostWithAnUnknownCertificateGetsNoRequest() async throws {
        let relay = try await RunningRelay(
            sandbox: try await sandbox(), ["PAYRELAY_APPLE_PAY_SESSION_CA_FILE": ""])
        let answer = try await relay.post("/v1/apple-pay/sessions", [])
        #expect(answer.status == 503)
        #expect(answer.json?["detail"]?.stringValue?.contains("certificate") == true)
    }

    @Test func anotherMerchantsCertificateStopsTheStart() async throws {
        let sandbox = try await sandbox()
        let settings = sandbox.settings.merging(try foreignIdentity(of: "merchant.other")) { $1 }
        let (status, text) = try await RunningProgram.run(["serve"], environment: settings)
        #expect(status == 78)
        #expect(text.contains("is merchant.sandbox.payrelay, but the certificate in "))
        #expect(text.contains("was issued for merchant.other"))
    }

    @Test func withoutACertificateItDoesNotStart() async throws {
        let sandbox = try await sandbox()
        let settings = sandbox.settings.merging(["PAYRELAY_APPLE_PAY_IDENTITY_CERTIFICATE_FILE": ""]) { $1 }
        let (status, text) = try await RunningProgram.run(["serve"], environment: settings)
        #expect(status == 78)
        #expect(text.contains("PAYRELAY_APPLE_PAY_IDENTITY_CERTIFICATE_FILE is missing"))
    }

    @Test func theDomainFileIsWhereAppleLooksForIt() async throws {
        let file = try folder.file("domain-file", "7B227073704964223A22\n")
        let relay = try await RunningRelay(["PAYRELAY_APPLE_PAY_DOMAIN_FILE": file])
        let answer = try await relay.get("/.well-known/apple-developer-merchantid-domain-association")
        #expect(answer.status == 200)
        #expect(answer.header("Content-Type") == "text/plain")
        #expect(String(decoding: answer.body, as: UTF8.self) == "7B227073704964223A22\n")
        #expect(try await relay.post("/v1/apple-pay/sessions", []).problem == "not-configured")
    }
}
