import ApplePaySession
import Foundation
import SwiftASN1
import TestPrograms
import Testing
import TokenMint

/// Both merchant identity certificates during a renewal.
@Suite struct MerchantIdentitiesTests {
    private let folder: TemporaryFolder
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)
    private static let day = 86_400.0

    init() throws {
        folder = try TemporaryFolder()
    }

    /// - Parameter valid: The beginning and the end of the validity, in days from now.
    private func pki(_ valid: (Double, Double), of merchant: String = "merchant.a") throws -> SessionPKI {
        var template = CertificateTemplate.merchantIdentity(merchant)
        template.notBefore = Self.now + valid.0 * Self.day
        template.notAfter = Self.now + valid.1 * Self.day
        return try SessionPKI(identity: template)
    }

    private func files(_ pkis: SessionPKI...) throws -> (certificates: String, keys: String) {
        let certificates = try pkis.map { try $0.pem(.merchant) }.joined(separator: "\n")
        let keys = try pkis.map { try $0.pem(.merchantKey) }.joined(separator: "\n")
        return (
            try folder.file("\(UUID().uuidString).pem", certificates), try folder.file("\(UUID().uuidString).key", keys)
        )
    }

    private func identities(_ pkis: SessionPKI...) throws -> MerchantIdentities {
        let files = try pkis.map { try self.files($0) }
        return try MerchantIdentities(certificateFiles: files.map(\.certificates), keyFiles: files.map(\.keys))
    }

    @Test func ofTwoValidOnesTheNewestIsUsedInWhicheverOrderTheyAreNamed() throws {
        let (old, new) = (try pki((-700, 20)), try pki((-1, 760)))
        for identities in try [identities(old, new), identities(new, old)] {
            #expect(identities.all.count == 2)
            #expect(identities.inUse(at: Self.now).notAfter == Self.now + 760 * Self.day)
        }
    }

    @Test func theOldOneIsUsedUntilTheNewOnesTimeBegins() throws {
        let identities = try identities(try pki((-700, 20)), try pki((2, 760)))
        #expect(identities.inUse(at: Self.now).notAfter == Self.now + 20 * Self.day)
        #expect(identities.inUse(at: Self.now + 2 * Self.day).notAfter == Self.now + 760 * Self.day)
    }

    @Test func anExpiredIdentityIsNotUsedIfAnotherIsValid() throws {
        let identities = try identities(try pki((-10, -1)), try pki((-700, 20)))
        #expect(identities.inUse(at: Self.now).notAfter == Self.now + 20 * Self.day)
        // If no certificate is valid, Apple's answer says so.
        #expect(identities.inUse(at: Self.now + 30 * Self.day).notAfter == Self.now + 20 * Self.day)
    }

    @Test func oneFileMayHoldBothAndTheirIntermediates() throws {
        let (old, new) = (try pki((-700, 20)), try pki((-1, 760)))
        let certificates = try folder.file(
            "all.pem",
            [old.pem(.merchant), old.pem(.authority), new.pem(.merchant), new.pem(.authority)].joined(separator: "\n"))
        let keys = try folder.file("all.key", new.pem(.merchantKey) + "\n" + old.pem(.merchantKey))
        let identities = try MerchantIdentities(certificateFile: certificates, keyFile: keys)
        #expect(identities.all.map(\.notAfter) == [Self.now + 20 * Self.day, Self.now + 760 * Self.day])
    }

    @Test func aCertificateInDERIsRead() throws {
        let pki = try pki((-1, 760))
        let der = try PEMDocument(pemString: pki.pem(.merchant)).derBytes
        let path = folder.path("merchant_id.cer")
        try Data(der).write(to: URL(filePath: path))
        #expect(
            try MerchantIdentities(certificateFile: path, keyFile: files(pki).keys).merchantIdentifier == "merchant.a")
    }

    @Test func aFaultyFileKeepsTheOldOnes() throws {
        let (old, new) = (try pki((-700, 20)), try pki((-1, 760)))
        let (certificates, keys) = try files(old)
        let identities = try MerchantIdentities(certificateFile: certificates, keyFile: keys)
        func write(_ certificateText: String, _ keyText: String) throws {
            try certificateText.write(toFile: certificates, atomically: true, encoding: .utf8)
            try keyText.write(toFile: keys, atomically: true, encoding: .utf8)
        }
        let other = try pki((-1, 760), of: "merchant.b")
        let faults: [(String, String)] = try [
            ("", old.pem(.merchantKey)), (old.pem(.merchant), ""), (new.pem(.merchant), old.pem(.merchantKey)),
            (old.pem(.merchant), old.pem(.merchantKey) + "\n" + new.pem(.merchantKey)),
            (other.pem(.merchant), other.pem(.merchantKey)),
            (
                old.pem(.merchant) + "\n" + other.pem(.merchant),
                old.pem(.merchantKey) + "\n" + other.pem(.merchantKey)
            ),
            (String(repeating: "x", count: 2 << 20), old.pem(.merchantKey)),
        ]
        for (certificateText, keyText) in faults {
            try write(certificateText, keyText)
            #expect(throws: MerchantIdentityError.self) { try identities.reload() }
            #expect(identities.all.map(\.notAfter) == [Self.now + 20 * Self.day])
        }
        try write(
            old.pem(.merchant) + "\n" + new.pem(.merchant), old.pem(.merchantKey) + "\n" + new.pem(.merchantKey))
        try identities.reload()
        #expect(identities.all.count == 2)
    }

    /// A text that is printed by mistake, for example in a log of settings, must not contain the key.
    @Test("S1: no print of an identity holds its key") func noPrintHoldsTheKey() throws {
        let pki = try pki((-1, 760))
        let identities = try identities(pki)
        var text = "\(identities.all)" + String(reflecting: identities.all)
        dump(identities.all, to: &text)
        let line = try #require(try pki.pem(.merchantKey).split(separator: "\n").dropFirst().first)
        #expect(!text.contains(line))
    }
}
