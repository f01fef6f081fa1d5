import PayrelayPrimitives
import Testing
import TokenMint

@testable import ApplePayToken

/// What is a message of Apple's layout, and where its values lie.
@Suite struct AppleMessageLayoutTests {
    private let sandbox = Sandbox()

    private func expectSameValues(_ token: PaymentToken) throws {
        let bytes = token.signature.bytes
        let layout = try AppleMessageLayout(ber: bytes)
        let openSSL = try StructureCheck.judge(bytes).value.contents.signers[0]
        let attributes = try SignedAttributesCheck.judge(openSSL).value
        #expect(ASN1Time.date(bytes[layout.signingTime]) == attributes.signingTime)
        #expect(bytes[layout.messageDigest].elementsEqual(attributes.messageDigest))
        #expect(try bytes[layout.signature].elementsEqual(RawMessage(bytes).signature))
    }

    @Test func findsTheValuesOfAMintedMessage() throws {
        try expectSameValues(PaymentToken(json: sandbox.honestToken()))
        try expectSameValues(PaymentToken(json: RSATokenMint().mint(Sandbox.order, signedAt: Sandbox.signingTime)))
    }

    @Test(.enabled(if: Fixtures.arePresent), arguments: Fixtures.genuine)
    func findsTheValuesOfAGenuineMessage(name: String) throws {
        try expectSameValues(Fixtures.token(name))
    }

    @Test func everyLayerHasOneForm() throws {
        let apple = try RawMessage(PaymentToken(json: sandbox.honestToken()).signature.bytes)
        #expect(throws: Never.self) { try AppleMessageLayout(ber: apple.ber()) }
        for layer in RawMessage.Layer.allCases {
            var message = apple
            message.indefinite.formSymmetricDifference([layer])
            #expect(throws: CheckFailure.self, "\(layer)") { try AppleMessageLayout(ber: message.ber()) }
        }
    }

    @Test func leavesEveryOtherLayoutToOpenSSL() throws {
        let apple = try RawMessage(PaymentToken(json: sandbox.honestToken()).signature.bytes)
        let changes: [(inout RawMessage) -> Void] = [
            { $0.content = RawMessage.element(0xA0, RawMessage.element(0x04, [])) },
            { $0.certificates.removeLast() }, { $0.certificates.append($0.certificates[0]) },
            { $0.revocations = RawMessage.element(0xA1, []) }, { $0.signerCount = 0 }, { $0.signerCount = 2 },
            { $0.unsigned = RawMessage.element(0xA1, $0.attributes[0]) }, { $0.attributes = [] },
            { $0.attributes[0] = RawMessage.element(0x30, RawMessage.oid([0x55, 0x04, 0x03])) },
            { message in message.attributes.removeAll { $0.dropFirst(12).first == 5 } },
            { message in message.attributes += message.attributes.filter { $0.dropFirst(12).first == 5 } },
            { message in message.attributes.removeAll { $0.dropFirst(12).first == 4 } },
            { message in message.attributes += message.attributes.filter { $0.dropFirst(12).first == 4 } },
            { $0.digestAlgorithms = RawMessage.element(0x31, []) },
        ]
        for change in changes {
            var message = apple
            change(&message)
            #expect(throws: CheckFailure.self) { try AppleMessageLayout(ber: message.ber()) }
        }
        #expect(throws: CheckFailure.self) { try AppleMessageLayout(ber: apple.ber() + [0]) }
        #expect(throws: CheckFailure.self) { try AppleMessageLayout(ber: []) }
    }

    /// A length that grows keeps the count of its bytes, and is minimal.
    @Test(arguments: [
        (0x7E, 1, true), (0x7F, 1, false), (0x80, -1, false), (0xFE, 1, true), (0xFF, 1, false), (0x100, -1, false),
        (0x1FF, 1, true), (0x46, -0x46, true), (0x46, -0x47, false), (0xFFFF, 1, false),
    ])
    func aLengthStandsInAsManyBytes(length: Int, growth: Int, stands: Bool) throws {
        let known = RawMessage.element(0x04, Array(repeating: 0, count: length))
        let element = DERLength(try BERElement(in: known, at: 0, limit: known.count))
        let other = RawMessage.header(0x04, length: max(0, length + growth)) + [0, 0]
        #expect(other.withUnsafeBytes { element.stands(in: $0, greaterBy: growth) } == stands)
        for place in element.place {
            var wrong = other
            wrong[place] ^= 1
            #expect(!wrong.withUnsafeBytes { element.stands(in: $0, greaterBy: growth) })
        }
    }
}
