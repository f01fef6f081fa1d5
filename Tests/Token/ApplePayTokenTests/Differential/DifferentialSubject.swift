import CMSReference
import Crypto
import Foundation
import PayrelayPrimitives
import TestPrograms
import TokenMint

@testable import ApplePayToken

/// A valid token, and the parts that are needed to make other messages from its message.
struct DifferentialSubject: Sendable {
    struct Outcome {
        /// The verdict with the known pair of certificates, or `nil` if the message has other certificates.
        let known: TokenVerification?
        /// The verdict when OpenSSL validates the certificates.
        let verification: TokenVerification
        let reference: cms_judgement
    }

    let token: PaymentToken
    let parts: RawMessage.Parts
    /// A verifier that knows the token's pair of certificates.
    private let verifier: TokenVerifier
    private let reference: Reference

    /// Returns minted tokens, and Apple's own tokens if they are present.
    static func all() throws -> [DifferentialSubject] {
        let sandbox = Sandbox()
        let foreign = try SandboxPKI.generate()
        let others = try [
            sandbox.pki.root.der(), sandbox.pki.merchant.der(), foreign.leaf.der(), foreign.intermediate.der(),
        ]
        let parts = RawMessage.Parts(key: sandbox.pki.leafKey, certificates: others)
        let anchor = try sandbox.pki.anchor()
        let data = Array(repeating: 7, count: 32) as [UInt8]
        var subjects = try [nil, data, nil].map { applicationData in
            let json = try sandbox.mint.mint(
                Sandbox.order, applicationData: applicationData, signedAt: Sandbox.signingTime)
            return try DifferentialSubject(PaymentToken(json: json), parts, anchor)
        }
        let unsignable = RawMessage.Parts(key: nil, certificates: others)
        let rsa = try RSATokenMint().mint(Sandbox.order, signedAt: Sandbox.signingTime)
        subjects.append(try DifferentialSubject(PaymentToken(json: rsa), unsignable, anchor))
        if Fixtures.arePresent {
            subjects += try Fixtures.genuine.map {
                try DifferentialSubject(Fixtures.token($0), unsignable, .appleRootCAG3)
            }
        }
        return subjects
    }

    private init(_ token: PaymentToken, _ parts: RawMessage.Parts, _ anchor: TrustAnchor) throws {
        self.token = token
        self.parts = parts
        verifier = TokenVerifier(anchor: anchor)
        reference = try Reference(anchor: anchor)
        _ = verifier.verify(token, at: .signingTime)
    }

    /// Makes the case with a number, and returns the verdict of each verifier.
    func run(_ number: Int) throws -> Outcome {
        var random = SeededGenerator(seed: UInt64(number))
        var message = try RawMessage(token.signature.bytes)
        let isStructured = !random.once(in: 4)
        if isStructured { try message.mutate(with: parts, &random) }
        var bytes = message.ber()
        if !isStructured || random.once(in: 12) {
            for _ in 0..<Int.random(in: 1...3, using: &random) { bytes.damage(&random) }
        }
        let token = token.signed(by: bytes, version: random.once(in: 40) ? .rsaV1 : token.version)
        let moment = random.once(in: 20) ? Moment.instant(Sandbox.signingTime.addingTimeInterval(300)) : .signingTime
        return Outcome(
            known: verifier.judgedAtOnce(token, at: moment),
            verification: verifier.verifyThroughOpenSSL(token, at: moment), reference: reference.judge(token))
    }
}

extension TokenVerifier {
    /// Returns the verification of a token whose certificates were validated before, or `nil` for another token.
    func judgedAtOnce(
        _ token: PaymentToken, at moment: Moment, applicationDataHash: HexText? = nil
    ) -> TokenVerification? {
        guard case .judged(let verification) = verifyAtOnce(token, at: moment, applicationDataHash: applicationDataHash)
        else { return nil }
        return verification
    }

    /// Verifies a token, and validates its certificates even if they were validated before.
    func verifyThroughOpenSSL(_ token: PaymentToken, at moment: Moment) -> TokenVerification {
        let message = Result { () throws(CheckFailure) in try SignedMessage(ber: token.signature.bytes) }
        return verifyThroughOpenSSL(token, message, at: moment)
    }
}

extension PaymentToken {
    /// Returns the same token with another message in its signature.
    func signed(by message: [UInt8], version: Version? = nil) -> PaymentToken {
        PaymentToken(
            version: version ?? self.version, data: data, signature: Base64Text(encoding: message), header: header,
            paymentMethod: nil, transactionIdentifier: nil)
    }
}
