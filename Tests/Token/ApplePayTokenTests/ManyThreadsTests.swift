import Crypto
import Dispatch
import PayrelayPrimitives
import Synchronization
import Testing
import TokenMint

@testable import ApplePayToken

/// One verifier, and so the key of one known pair of certificates, that many threads use at once. ThreadSanitizer (`make
/// test-tsan`) also finds races in these tests.
@Suite struct ManyThreadsTests {
    private let sandbox = Sandbox()

    @Test func everyThreadGetsTheVerdictOfItsOwnToken() throws {
        let elliptic = (
            honest: try PaymentToken(json: sandbox.honestToken()),
            forged: try PaymentToken(
                json: sandbox.token { message, _ in
                    message.signers = [
                        try SignerInfo(
                            signing: message.signers[0].signedAttributes, with: P256.Signing.PrivateKey(),
                            of: sandbox.pki.leaf)
                    ]
                })
        )
        let mint = try RSATokenMint()
        let unsigned = try mint.unsigned(Sandbox.order)
        var message = try mint.sign(unsigned.signedContent, at: Sandbox.signingTime)
        message.signers = [
            try SignerInfo(signing: message.signers[0].signedAttributes, with: RSATokenMint().leafKey, of: mint.leaf)
        ]
        let rsa = (
            honest: try PaymentToken(json: mint.mint(Sandbox.order, signedAt: Sandbox.signingTime)),
            forged: try PaymentToken(json: unsigned.json(signature: message.ber()))
        )
        for (honest, forged) in [elliptic, rsa] {
            let verifier = try TokenVerifier(anchor: sandbox.pki.anchor())
            // From here on, the pair is known.
            #expect(verifier.verify(honest, at: .signingTime).isValid)
            let wrong = Atomic(0)
            DispatchQueue.concurrentPerform(iterations: 8) { thread in
                for round in 0..<60 {
                    let isForged = (round + thread).isMultiple(of: 3)
                    let isValid = verifier.verify(isForged ? forged : honest, at: .signingTime).isValid
                    if isValid == isForged { wrong.add(1, ordering: .relaxed) }
                }
            }
            #expect(wrong.load(ordering: .relaxed) == 0)
        }
    }
}
