import ApplePaySession
import Foundation
import TestPrograms
import Testing
import TokenMint

@Suite struct MerchantIdentityTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func error(certificate: String, key: String) -> MerchantIdentityError? {
        #expect(throws: MerchantIdentityError.self) {
            try MerchantIdentities(certificateFile: certificate, keyFile: key)
        }
    }

    @Test func theMerchantIdentifierIsReadFromWhatOpenSSLExported() throws {
        let file = try folder.file("identity.pem", ExportedIdentity.certificateAndKey)
        let identity = try MerchantIdentities(certificateFile: file, keyFile: file).all[0]
        #expect(identity.merchantIdentifier == ExportedIdentity.merchantIdentifier)
        #expect(identity.notAfter == ExportedIdentity.notAfter)
    }

    @Test func aKeyUnderAPasswordIsRefused() throws {
        let certificate = try folder.file("identity.pem", ExportedIdentity.certificateAndKey)
        for text in [ExportedIdentity.encryptedKey, ExportedIdentity.encryptedKeyOfOldForm] {
            let key = try folder.file("key.pem", text)
            #expect(error(certificate: certificate, key: key) == .noKey(file: key))
        }
    }

    @Test func anotherCertificatesKeyIsRefused() throws {
        let (own, other) = try (folder.identity(), folder.identity())
        #expect(
            error(certificate: own.certificate, key: other.key)
                == .otherKey(keyFile: other.key, certificateFile: own.certificate))
    }

    @Test func filesThatAreNotThereOrHoldSomethingElseAreNamed() throws {
        let (certificate, key) = try folder.identity()
        let missing = folder.path("missing")
        let text = try folder.file("text", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n")
        #expect(error(certificate: missing, key: key) == .unreadable(file: missing))
        #expect(error(certificate: certificate, key: missing) == .unreadable(file: missing))
        #expect(error(certificate: key, key: key) == .noCertificate(file: key))
        #expect(error(certificate: text, key: key) == .noCertificate(file: text))
        #expect(error(certificate: certificate, key: certificate) == .noKey(file: certificate))
    }

    /// The certificate may be the merchant's processing certificate, for example.
    @Test func anotherKindOfCertificateIsRefused() throws {
        let certificate = try folder.file("processing.pem", SandboxPKI.published.pem(.merchant))
        let key = try folder.file("processing-key.pem", SandboxPKI.published.pem(.merchantKey))
        #expect(error(certificate: certificate, key: key) == .noMerchantIdentifier(certificateFile: certificate))
    }
}
