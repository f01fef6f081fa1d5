import ApplePayToken
import Foundation
import PayrelayPrimitives
import Testing
import TokenMint

/// Messages that are damaged byte by byte.
@Suite struct ByteTests {
    private let sandbox = Sandbox()

    /// Returns the places at which a damaged token is accepted. The search uses every core.
    private func placesAccepted(
        in places: Range<Int>, _ isAccepted: @escaping @Sendable (Int) throws -> Bool
    ) async throws -> [Int] {
        let portion = 64
        return try await withThrowingTaskGroup { group in
            for start in stride(from: places.lowerBound, to: places.upperBound, by: portion) {
                group.addTask { try (start..<min(start + portion, places.upperBound)).filter(isAccepted) }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
    }

    private func verdict(_ json: JSON, _ signature: [UInt8]) throws -> TokenVerification {
        try sandbox.verify(
            json.replacing("paymentData", "signature", with: .string(Base64Text(encoding: signature).text)))
    }

    /// Every unsigned byte must be checked: a byte that no check looks at would give one payment many different tokens.
    @Test("S2: no flipped byte of the signature is accepted", arguments: [0x01, 0x20, 0x80, 0xFF])
    func noFlippedByteOfTheSignatureIsAccepted(mask: UInt8) async throws {
        let json = try sandbox.honestToken()
        let signature = try PaymentToken(json: json).signature.bytes
        let accepted = try await placesAccepted(in: signature.indices) { place in
            var damaged = signature
            damaged[place] ^= mask
            return try verdict(json, damaged).isValid
        }
        #expect(accepted.isEmpty, "of \(signature.count)")
    }

    @Test("S2: no flipped byte of a signed field is accepted", arguments: [0x01, 0x80])
    func noFlippedByteOfASignedFieldIsAccepted(mask: UInt8) async throws {
        let honest = try sandbox.mint.unsigned(Sandbox.order, applicationData: Array(repeating: 7, count: 32))
        let signature = try sandbox.mint.sign(honest.signedContent, at: Sandbox.signingTime).ber()
        for field in [\.data, \.key, \.transactionId] as [any WritableKeyPath<UnsignedToken, [UInt8]> & Sendable] {
            let otherwise = try await placesAccepted(in: honest[keyPath: field].indices) { place in
                var damaged = honest
                damaged[keyPath: field][place] ^= mask
                return try sandbox.verify(damaged.json(signature: signature)).firstFailure?.name != .messageDigest
            }
            #expect(otherwise.isEmpty)
        }
        for place in 0..<32 {
            var damaged = honest
            damaged.applicationData?[place] ^= mask
            #expect(try sandbox.refusal(of: damaged.json(signature: signature)) == .messageDigest)
        }
    }

    /// `publicKeyHash` is not signed. If the merchant's certificates are known, they protect it.
    @Test func noFlippedByteOfThePublicKeyHashIsAccepted() throws {
        let verifier = TokenVerifier(
            anchor: try sandbox.pki.anchor(),
            processingCertificates: [try ProcessingCertificate(pem: sandbox.pki.pem(.merchant))])
        let honest = try sandbox.mint.unsigned(Sandbox.order)
        let signature = try sandbox.mint.sign(honest.signedContent, at: Sandbox.signingTime).ber()
        for place in honest.publicKeyHash.indices {
            for mask in [0x01, 0x20, 0x80, 0xFF] as [UInt8] {
                var damaged = honest
                damaged.publicKeyHash[place] ^= mask
                let token = try PaymentToken(json: damaged.json(signature: signature))
                #expect(verifier.verify(token, at: .signingTime).firstFailure?.name == .publicKeyHash)
            }
        }
    }

    @Test("S2: no truncated message is accepted")
    func noTruncatedMessageIsAccepted() throws {
        let json = try sandbox.honestToken()
        let signature = try PaymentToken(json: json).signature.bytes
        for length in stride(from: 1, to: signature.count, by: 7) {
            #expect(try verdict(json, Array(signature.prefix(length))).firstFailure?.name == .structure)
        }
        #expect(try verdict(json, signature.dropLast()).firstFailure?.name == .structure)
    }

    @Test func nothingMayFollowTheMessage() throws {
        let json = try sandbox.honestToken()
        let signature = try PaymentToken(json: json).signature.bytes
        for trailing in [[0], [0, 0], signature] as [[UInt8]] {
            #expect(try verdict(json, signature + trailing).firstFailure?.name == .structure)
        }
    }

    @Test func garbageFailsTheStructure() throws {
        let json = try sandbox.honestToken()
        for garbage in [[0], [0x30, 0x80], [0x30, 0x80, 0, 0], Array(repeating: 0x30, count: 4096)] as [[UInt8]] {
            let verification = try verdict(json, garbage)
            #expect(verification.firstFailure?.name == .structure)
            #expect(verification.checks.count == CheckName.allCases.count)
            #expect(verification.checks.dropFirst().filter { $0.verdict == .passed || $0.verdict == .failed }.isEmpty)
        }
    }
}
