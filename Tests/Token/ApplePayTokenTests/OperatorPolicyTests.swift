import ApplePayToken
import PayrelayPrimitives
import Testing
import TokenMint

/// Checks that are made because of a setting or the order.
@Suite struct OperatorPolicyTests {
    private let sandbox = Sandbox()
    private static let hash = Array(repeating: UInt8(7), count: 32)

    private func verify(
        _ json: JSON, pki: SandboxPKI = .published, certificates: [SandboxPKI] = [],
        unknownCertificates: UnknownProcessingCertificates = .refused,
        sandboxSigners: SandboxSigners = .accepted, applicationDataHash: [UInt8]? = nil
    ) throws -> TokenVerification {
        let verifier = TokenVerifier(
            anchor: try pki.anchor(),
            processingCertificates: ProcessingCertificates(
                try certificates.map { try ProcessingCertificate(pem: $0.pem(.merchant)) }),
            unknownProcessingCertificates: unknownCertificates, sandboxSigners: sandboxSigners)
        return verifier.verify(
            try PaymentToken(json: json), at: .signingTime,
            applicationDataHash: applicationDataHash.map { HexText(encoding: $0) })
    }

    @Test func checksThatAreNotRequestedDoNotCount() throws {
        let verification = try verify(sandbox.honestToken())
        #expect(verification.isValid)
        #expect(
            verification.checks.filter { $0.verdict == .notAsked }.map(\.name)
                == [.sandboxSigner, .publicKeyHash, .applicationData])
        #expect(verification[.publicKeyHash]?.detail.hasPrefix("not configured") == true)
    }

    /// A refusal stays a refusal, whichever checks were not requested. A check that was skipped does not count as passed.
    @Test func aSkippedCheckDiffersFromOneThatIsNotRequested() throws {
        let verification = try verify(
            sandbox.honestToken().replacing("paymentData", "signature", with: "AAAA"), sandboxSigners: .refused)
        #expect(verification[.sandboxSigner]?.verdict == .skipped)
        #expect(verification[.publicKeyHash]?.verdict == .notAsked)
        #expect(!verification.isValid)
    }

    // MARK: publicKeyHash

    @Test func aTokenForOneOfTheMerchantsCertificatesIsValid() throws {
        let other = try SandboxPKI.generate()
        let verification = try verify(sandbox.honestToken(), certificates: [other, .published])
        #expect(verification.isValid)
        #expect(verification[.publicKeyHash]?.verdict == .passed)
    }

    @Test func aTokenForAnotherCertificateIsRefusedWithItsHash() throws {
        let json = try sandbox.honestToken()
        let refusal = try verify(json, certificates: [.generate()]).firstFailure
        #expect(refusal?.name == .publicKeyHash)
        let hash = json["paymentData"]?["header"]?["publicKeyHash"]?.stringValue ?? "none"
        for part in [hash, "another certificate", "00099"] { #expect(refusal?.detail.contains(part) == true) }
    }

    @Test func aTokenForAnotherCertificateIsAcceptedIfTheOperatorSaysSo() throws {
        let verification = try verify(
            sandbox.honestToken(), certificates: [.generate()], unknownCertificates: .accepted)
        #expect(verification.isValid)
        #expect(verification[.publicKeyHash]?.verdict == .notAsked)
        let own = try verify(sandbox.honestToken(), certificates: [.published], unknownCertificates: .accepted)
        #expect(own[.publicKeyHash]?.verdict == .passed)
    }

    /// A reload reaches the copies that a relay and its routes hold, and also messages that are already remembered.
    @Test func replacedCertificatesCountForEveryCopyOfAVerifier() throws {
        let certificates = ProcessingCertificates(
            [try ProcessingCertificate(pem: SandboxPKI.generate().pem(.merchant))])
        let verifier = TokenVerifier(
            anchor: try SandboxPKI.published.anchor(), processingCertificates: certificates)
        let copy = verifier
        let token = try PaymentToken(json: sandbox.honestToken())
        #expect(copy.verify(token, at: .signingTime).firstFailure?.name == .publicKeyHash)
        certificates.replace(with: [try ProcessingCertificate(pem: SandboxPKI.published.pem(.merchant))])
        #expect(copy.verify(token, at: .signingTime).isValid)
        certificates.replace(with: [try ProcessingCertificate(pem: SandboxPKI.generate().pem(.merchant))])
        #expect(verifier.verify(token, at: .signingTime).firstFailure?.name == .publicKeyHash)
    }

    /// The same hash is computed from OpenSSL's encoding of the key and from swift-crypto's.
    @Test func theHashIsThatOfTheKeyInTheCertificate() throws {
        let certificate = try ProcessingCertificate(pem: SandboxPKI.published.pem(.merchant))
        let token = try sandbox.mint.unsigned(Sandbox.order)
        #expect(certificate.publicKeyHash.bytes == token.publicKeyHash)
        #expect(certificate.subject.contains("Apple Pay Payment Processing:merchant.sandbox.payrelay"))
    }

    @Test func aFileThatIsNotACertificateIsNamed() throws {
        #expect(throws: PEMError.self) { try ProcessingCertificate(pem: "") }
        #expect(throws: PEMError.self) { try ProcessingCertificate(pem: SandboxPKI.published.pem(.merchantKey)) }
    }

    // MARK: Sandbox signers

    @Test func aSandboxSignerIsRefusedIfTheOperatorSaysSo() throws {
        let verification = try verify(sandbox.honestToken(), sandboxSigners: .refused)
        #expect(verification.firstFailure?.name == .sandboxSigner)
        #expect(verification.checks.filter { $0.verdict == .failed }.count == 1)
    }

    @Test(arguments: [
        ("ecc-smp-broker-sign_UC4-PROD", true), ("ecc-smp-broker-sign_UC4-SANDBOX", false),
        ("rsa-smp-broker-sign_UC4-sandbox", false), ("SANDBOX", true),
    ])
    func theCommonNameDistinguishesASandbox(name: String, isAccepted: Bool) throws {
        var leaf = CertificateTemplate.leaf
        leaf.commonName = name
        let pki = try SandboxPKI.generate(leaf: leaf)
        let verification = try verify(Sandbox(pki: pki).honestToken(), pki: pki, sandboxSigners: .refused)
        #expect(verification.isValid == isAccepted)
        #expect(verification.firstFailure?.name == (isAccepted ? nil : .sandboxSigner))
    }

    @Test(.enabled(if: Fixtures.arePresent), arguments: Fixtures.genuine)
    func applesProductionSignersAreNone(name: String) throws {
        let verification = TokenVerifier(sandboxSigners: .refused).verify(try Fixtures.token(name), at: .signingTime)
        #expect(verification.isValid)
        #expect(verification[.sandboxSigner]?.verdict == .passed)
    }

    // MARK: applicationData

    @Test func theApplicationDataOfTheOrderIsValid() throws {
        let json = try sandbox.mint.mint(Sandbox.order, applicationData: Self.hash, signedAt: Sandbox.signingTime)
        let verification = try verify(json, applicationDataHash: Self.hash)
        #expect(verification.isValid)
        #expect(verification[.applicationData]?.verdict == .passed)
    }

    @Test func otherApplicationDataOrNoneIsRefused() throws {
        let other = try sandbox.mint.mint(
            Sandbox.order, applicationData: Array(repeating: 8, count: 32), signedAt: Sandbox.signingTime)
        for json in [other, try sandbox.honestToken()] {
            #expect(try verify(json, applicationDataHash: Self.hash).firstFailure?.name == .applicationData)
        }
    }
}
