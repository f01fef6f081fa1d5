import ApplePayToken
import Foundation
import OrderedJSON
import Testing
import TokenMint

/// Messages that are damaged byte by byte.
@Suite struct ByteTests {
    private let sandbox = Sandbox()

    private func verdict(_ json: JSON, _ signature: [UInt8]) throws -> TokenVerification {
        try sandbox.verify(
            json.replacing("paymentData", "signature", with: .string(Base64Text(encoding: signature).text)))
    }

    @Test(arguments: [0x01, 0x20, 0x80, 0xFF])
    func noFlippedByteOfTheSignatureIsAccepted(mask: UInt8) throws {
        let json = try sandbox.honestToken()
        let signature = try PaymentToken(json: json).signature.bytes
        var accepted: [Int] = []
        for place in signature.indices {
            var damaged = signature
            damaged[place] ^= mask
            if try verdict(json, damaged).isValid { accepted.append(place) }
        }
        #expect(accepted.isEmpty, "of \(signature.count)")
    }

    @Test func noFlippedByteOfASignedFieldIsAccepted() throws {
        let honest = try sandbox.mint.unsigned(Sandbox.order, applicationData: Array(repeating: 7, count: 32))
        let signature = try sandbox.mint.sign(honest.signedContent, at: Sandbox.signingTime).ber()
        let fields: [WritableKeyPath<UnsignedToken, [UInt8]>] = [\.data, \.key, \.transactionId]
        for field in fields {
            for place in honest[keyPath: field].indices {
                var damaged = honest
                damaged[keyPath: field][place] ^= 0x20
                let refusal = try sandbox.verify(damaged.json(signature: signature)).refusal
                #expect(refusal?.name == .messageDigest)
            }
        }
    }

    @Test func noTruncatedMessageIsAccepted() throws {
        let json = try sandbox.honestToken()
        let signature = try PaymentToken(json: json).signature.bytes
        for length in stride(from: 1, to: signature.count, by: 7) {
            #expect(try verdict(json, Array(signature.prefix(length))).refusal?.name == .structure)
        }
        #expect(try verdict(json, signature.dropLast()).refusal?.name == .structure)
    }

    @Test func nothingMayFollowTheMessage() throws {
        let json = try sandbox.honestToken()
        let signature = try PaymentToken(json: json).signature.bytes
        for trailing in [[0], [0, 0], signature] as [[UInt8]] {
            #expect(try verdict(json, signature + trailing).refusal?.name == .structure)
        }
    }

    @Test func garbageFailsTheStructure() throws {
        let json = try sandbox.honestToken()
        for garbage in [[0], [0x30, 0x80], [0x30, 0x80, 0, 0], Array(repeating: 0x30, count: 4096)] as [[UInt8]] {
            let verification = try verdict(json, garbage)
            #expect(verification.refusal?.name == .structure)
            #expect(verification.checks.count == CheckName.allCases.count)
            #expect(verification.checks.dropFirst().filter { $0.verdict != .skipped }.isEmpty)
        }
    }
}
