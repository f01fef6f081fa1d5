import CMSReference
import Crypto
import Foundation
import PayrelayPrimitives
import Testing
import TokenMint
import X509

@testable import ApplePayToken

/// Messages that are accepted as Apple's, and messages that are refused although OpenSSL would accept them.
@Suite struct SignedMessageTests {
    private let sandbox = Sandbox()
    private let token: PaymentToken
    /// A valid message in pieces.
    private let apples: RawMessage
    private let reference: Reference

    init() throws {
        token = try PaymentToken(json: sandbox.honestToken())
        apples = try RawMessage(token.signature.bytes)
        reference = try Reference(anchor: sandbox.pki.anchor())
    }

    private func verdict(_ message: RawMessage) throws -> TokenVerification {
        try TokenVerifier(anchor: sandbox.pki.anchor()).verify(token.signed(by: message.ber()), at: .signingTime)
    }

    @Test func readsTheValuesOfAMessage() throws {
        let message = try SignedMessage(ber: token.signature.bytes)
        #expect(message.certificates.map(Array.init) == (try [sandbox.pki.leaf.der(), sandbox.pki.intermediate.der()]))
        #expect(!message.hasContent)
        #expect(message.digestAlgorithms == [AlgorithmIdentifier.sha256[0]])
        let signer = try #require(message.signers.first)
        #expect(message.signers.count == 1)
        #expect(signer.digestAlgorithm == AlgorithmIdentifier.sha256[0])
        #expect(signer.signatureAlgorithm == AlgorithmIdentifier.ecdsaWithSHA256[0])
        #expect(Array(signer.signature) == apples.signature)
        #expect(signer.signedBytes == RawMessage.element(0x31, Array(apples.attributes.joined())))
        let attributes = try SignedAttributesCheck.judge(signer).value
        #expect(attributes.signingTime == Sandbox.signingTime)
        #expect(attributes.messageDigest.elementsEqual(token.digest))
    }

    /// Apple writes some layers with indefinite lengths. Which layers these are does not change the meaning of a message.
    @Test(arguments: RawMessage.Layer.allCases.filter { $0 != .attributes })
    func aLayerMayHaveEitherForm(layer: RawMessage.Layer) throws {
        var message = apples
        message.indefinite.formSymmetricDifference([layer])
        #expect(try verdict(message).isValid)
    }

    @Test func signedAttributesThatAreNotDERAreRefused() throws {
        var message = apples
        message.indefinite.insert(.attributes)
        try expectRefusedDespiteOpenSSL(message)
        message = apples
        message.attributes[1] = RawMessage.indefinite(message.attributes[1], true)
        try expectRefusedDespiteOpenSSL(message)
    }

    /// RFC 5652, 5.4: the DER encoding is signed, and DER orders a SET OF. OpenSSL keeps the order that it finds.
    @Test func signedAttributesInAnotherOrderAreRefused() throws {
        var message = apples
        message.attributes.reverse()
        try message.sign(with: sandbox.pki.leafKey)
        try expectRefusedDespiteOpenSSL(message)
    }

    @Test func unsignedAttributesAreRefused() throws {
        var message = apples
        message.unsigned = RawMessage.element(0xA1, RawMessage.attribute(15, [[0x05, 0x00]]))
        try expectRefusedDespiteOpenSSL(message)
    }

    @Test func revocationListsAreRefused() throws {
        var message = apples
        message.revocations = RawMessage.element(0xA1, [])
        try expectRefusedDespiteOpenSSL(message)
    }

    /// RFC 5652, 10.2.2: instead of a certificate, there may be an attribute certificate or another kind.
    @Test func certificatesOfOtherKindsAreRefused() throws {
        var message = apples
        let other = RawMessage.oid([0x2A, 0x03]) + [0x05, 0x00]
        message.certificates.append(RawMessage.element(0xA3, other))
        try expectRefusedDespiteOpenSSL(message)
    }

    @Test func aCertificateThatIsNotDERIsRefused() throws {
        var message = apples
        message.certificates[0] = RawMessage.indefinite(message.certificates[0], false)
        try expectRefusedDespiteOpenSSL(message)
    }

    @Test func aSignerIdentifierThatIsNotDERIsRefused() throws {
        var message = apples
        message.signerIdentifier = RawMessage.indefinite(message.signerIdentifier, false)
        try expectRefusedDespiteOpenSSL(message)
    }

    /// Two certificates have the same serial number, and the signer names the second one: parsers differ in the one that they
    /// choose.
    @Test func aSerialNumberThatAnotherCertificateHasIsRefused() throws {
        let (leaf, root) = (sandbox.pki.leaf, sandbox.pki.root.subject)
        let other = try X509.Certificate(
            version: .v3, serialNumber: leaf.serialNumber, publicKey: leaf.publicKey,
            notValidBefore: leaf.notValidBefore,
            notValidAfter: leaf.notValidAfter, issuer: root, subject: root, signatureAlgorithm: .ecdsaWithSHA256,
            extensions: .init(), issuerPrivateKey: .init(sandbox.pki.leafKey))
        var message = apples
        message.certificates.insert(try other.der(), at: 0)
        try expectRefusedDespiteOpenSSL(message, by: .signer)
    }

    private func expectRefusedDespiteOpenSSL(_ message: RawMessage, by check: CheckName = .structure) throws {
        let other = token.signed(by: message.ber())
        #expect(reference.judge(other).is_valid)
        #expect(try verdict(message).firstFailure?.name == check)
    }

    @Test func aMessageThatIsNotApplesIsRefused() throws {
        let changes: [(inout RawMessage) -> Void] = [
            { $0.certificates = [] }, { $0.certificates = Array(repeating: $0.certificates[0], count: 9) },
            { $0.signerCount = 9 }, { $0.digestAlgorithms = [0x31, 0x02, 0x05, 0x00] },
            { $0.digestAlgorithms = [0x05, 0x00] }, { $0.digestAlgorithm = [0x05, 0x00] },
            { $0.signatureAlgorithm = [0x31, 0x00] }, { $0.signerIdentifier = RawMessage.element(0x30, []) },
            { $0.signerIdentifier = [0x80, 0x01, 0x00] }, { $0.attributes[0] = [0x05, 0x00] },
            { $0.attributes[0] = RawMessage.element(0x30, RawMessage.oid([0x55, 0x04, 0x03])) },
            { $0.unsigned = [0x05, 0x00] },
            {
                $0.content = [0x05, 0x00]; $0.revocations = [0x05, 0x00]
            },
        ]
        for (place, change) in changes.enumerated() {
            var message = apples
            change(&message)
            #expect(throws: CheckFailure.self, "change \(place)") { try SignedMessage(ber: message.ber()) }
        }
        #expect(throws: CheckFailure.self) { try SignedMessage(ber: apples.ber() + [0]) }
        #expect(throws: CheckFailure.self) { try SignedMessage(ber: []) }
    }

    @Test(arguments: [[], AlgorithmIdentifier.sha256 + AlgorithmIdentifier.sha256, AlgorithmIdentifier.ecdsaWithSHA256])
    func aListOfOtherDigestAlgorithmsIsRefused(algorithms: [AlgorithmIdentifier]) throws {
        var message = apples
        message.digestAlgorithms = RawMessage.element(0x31, algorithms.flatMap { Array($0.der) })
        let verification = try verdict(message)
        #expect(verification.firstFailure?.name == .message)
        #expect(verification.checks.filter { $0.verdict == .failed }.count == 1)
    }

    /// RFC 5652, 11.4: a countersignature is never a signed attribute.
    @Test func aSignedCountersignatureIsRefused() throws {
        var message = apples
        message.attributes.append(RawMessage.attribute(6, [[0x05, 0x00]]))
        message.attributes.sort { $0.lexicographicallyPrecedes($1) }
        try message.sign(with: sandbox.pki.leafKey)
        #expect(!reference.judge(token.signed(by: message.ber())).is_valid)
        #expect(try verdict(message).firstFailure?.name == .signedAttributes)
    }

    /// Apple has added attributes before.
    @Test func anUnknownSignedAttributeIsAccepted() throws {
        var message = apples
        message.attributes.append(RawMessage.attribute(15, [[0x05, 0x00], RawMessage.element(0x30, [])]))
        message.attributes.sort { $0.lexicographicallyPrecedes($1) }
        try message.sign(with: sandbox.pki.leafKey)
        #expect(reference.judge(token.signed(by: message.ber())).is_valid)
        #expect(try verdict(message).isValid)
    }

    /// The DER of an ECDSA signature has one form (SEC 1, C.8).
    @Test(
        arguments: [
            [], [0x30, 0x00], [0x30, 0x06, 0x02, 0x01, 0x00, 0x02, 0x01, 0x00],
            [0x30, 0x06, 0x02, 0x01, 0x81, 0x02, 0x01, 0x81],
        ] as [[UInt8]])
    func anInvalidEncodingOfASignatureIsRefused(signature: [UInt8]) throws {
        var message = apples
        message.signature = signature
        #expect(try verdict(message).firstFailure?.name == .signature)
    }

    @Test func aSignatureInAnotherEncodingIsRefused() throws {
        let numbers = try RawMessage.elements(in: apples.signature)
        let padded = numbers.map { RawMessage.element(0x02, [0x00] + $0.dropFirst(2)) }
        let forms = [
            apples.signature + [0x00], RawMessage.element(0x30, Array(padded.joined())),
            [0x30, 0x81, UInt8(apples.signature.count - 2)] + apples.signature.dropFirst(2),
            RawMessage.indefinite(apples.signature, false),
            RawMessage.element(0x30, Array(numbers.joined()) + [0x05, 0x00]),
        ]
        for form in forms {
            var message = apples
            message.signature = form
            #expect(!reference.judge(token.signed(by: message.ber())).is_valid)
            #expect(try verdict(message).firstFailure?.name == .signature)
        }
    }
}
