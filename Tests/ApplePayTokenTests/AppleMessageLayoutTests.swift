import Primitives
import Testing
import TokenMint

@testable import ApplePayToken

/// The reading without OpenSSL, held against OpenSSL's.
@Suite struct AppleMessageLayoutTests {
    private let sandbox = Sandbox()

    private func expectSameContents(_ token: PaymentToken) throws {
        let bytes = token.signature.bytes
        let openSSL = try StructureCheck.judge(bytes).value
        let layout = try AppleMessageLayout(ber: bytes)
        let chain = try KnownChain(of: openSSL, in: bytes, layout)
        #expect(try KnownChainMessage(bytes, layout, chain: chain).contents == openSSL.contents)
    }

    @Test func readsAMintedMessageAsOpenSSLDoes() throws {
        try expectSameContents(PaymentToken(json: sandbox.honestToken()))
    }

    @Test(.enabled(if: Fixtures.arePresent), arguments: Fixtures.genuine)
    func readsAGenuineMessageAsOpenSSLDoes(name: String) throws {
        try expectSameContents(Fixtures.token(name))
    }

    @Test func knowsTheOuterLayersInEitherForm() throws {
        var message = try RawMessage(PaymentToken(json: sandbox.honestToken()).signature.bytes)
        for layer in RawMessage.Layer.allCases {
            let isUnsigned = layer != .attributes
            message.indefinite = [layer]
            #expect(((try? AppleMessageLayout(ber: message.ber())) != nil) == isUnsigned, "\(layer)")
        }
        message.indefinite = []
        #expect(throws: Never.self) { try AppleMessageLayout(ber: message.ber()) }
    }

    @Test func leavesEveryOtherLayoutToOpenSSL() throws {
        let apple = try RawMessage(PaymentToken(json: sandbox.honestToken()).signature.bytes)
        let changes: [(inout RawMessage) -> Void] = [
            { $0.content = RawMessage.element(0xA0, RawMessage.element(0x04, [])) },
            { $0.certificates.removeLast() }, { $0.certificates.append($0.certificates[0]) },
            { $0.revocations = RawMessage.element(0xA1, []) }, { $0.signerCount = 0 }, { $0.signerCount = 2 },
            { $0.unsigned = RawMessage.element(0xA1, $0.attributes[0]) }, { $0.attributes = [] },
            { $0.attributes[0] = RawMessage.element(0x30, RawMessage.oid([0x55, 0x04, 0x03])) },
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
}
