import ApplePayToken
import Foundation
import PayrelayPrimitives
import SwiftASN1
import Testing
import TokenMint
import X509

@Suite struct ProcessingCertificateFileTests {
    private let (old, new): (SandboxPKI, SandboxPKI)

    init() throws {
        (old, new) = (.published, try .generate())
    }

    private func read(_ text: String) throws -> [ProcessingCertificate] {
        try ProcessingCertificate.all(inFile: Array(text.utf8))
    }

    @Test func aFileMayHoldTheOldAndTheNewCertificateAndTextBetween() throws {
        let text =
            try "Bag Attributes\r\n" + old.pem(.merchant) + "\r\nlocalKeyID: 01\r\n" + new.pem(.merchant) + "\r\n"
        let certificates = try read(text)
        #expect(
            try certificates
                == [ProcessingCertificate(pem: old.pem(.merchant)), ProcessingCertificate(pem: new.pem(.merchant))])
        #expect(certificates[0].notAfter == old.merchant.notValidAfter)
    }

    /// Apple's portal delivers certificates in DER.
    @Test func aFileMayHoldOneCertificateInDER() throws {
        let der = try new.merchant.serializeAsPEM().derBytes
        #expect(try ProcessingCertificate.all(inFile: der) == [ProcessingCertificate(pem: new.pem(.merchant))])
        let end = try CertificateEnd(.paymentProcessing, der: der)
        #expect(end.publicKeyHash.bytes == (try ProcessingCertificate(pem: new.pem(.merchant))).publicKeyHash.bytes)
        for broken in [der + [0], der.dropLast(), [], Array(der.dropFirst())] {
            #expect(throws: PEMError.self) { try ProcessingCertificate.all(inFile: Array(broken)) }
        }
    }

    /// While a file is being written, half of its contents must not be taken for all of them.
    @Test func aFileWithOneFaultyCertificateIsRefusedAsAWhole() throws {
        let whole = try old.pem(.merchant) + "\n" + new.pem(.merchant)
        for text in [
            String(whole.dropLast(40)),
            whole.replacing("-----BEGIN CERTIFICATE-----\nMII", with: "-----BEGIN CERTIFICATE-----\nMI"),
        ] {
            #expect(throws: PEMError.self) { try read(text) }
        }
        #expect(throws: PEMError.self) { try read(old.pem(.merchantKey)) }
        #expect(throws: PEMError.self) { try read(String(repeating: "x", count: 100_000)) }
    }

    /// The tokens of elliptic curves and the RSA token have one: the hash is 32 bytes in base64.
    @Test(.enabled(if: Fixtures.arePresent), arguments: Fixtures.genuine)
    func applesTokensCarryASHA256(name: String) throws {
        #expect(try Fixtures.token(name).header.publicKeyHash.bytes.count == 32)
    }
}
