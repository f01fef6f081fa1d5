import ApplePayToken
import CMSReference
import Crypto
import Foundation
import PayrelayPrimitives
import TokenMint

/// A comparison of three verdicts on a message: of a verifier that knows the pair of certificates, of a new verifier for which
/// OpenSSL validates the pair, and of OpenSSL's `CMS_verify`.
struct Differential: Sendable {
    /// The kind of an input, given by its first byte: what the remaining bytes are.
    enum Kind: UInt8 {
        /// The signature, unchanged.
        case message
        /// Signed attributes, to be signed with the leaf's own key: the signature is valid, whatever the attributes say.
        case attributes
        /// The values in which two messages of one signer differ: a byte that selects the values to use, the signing time, the
        /// message digest, and the signature.
        case values
    }

    static let shared: Differential = {
        do {
            return try Differential()
        } catch {
            fatalError("nothing can be fuzzed: \(error)")
        }
    }()

    let honest: Message
    private let paymentData: JSON
    private let key: P256.Signing.PrivateKey
    private let knowing: TokenVerifier
    private let reference: Reference

    init() throws {
        let signedAt = Date(timeIntervalSince1970: 1_800_000_000)
        let json = try TokenMint().mint(TokenContents(amount: 10000, currency: "AED"), signedAt: signedAt)
        let token = try PaymentToken(json: json)
        honest = try Message(token.signature.bytes)
        paymentData = json["paymentData"] ?? .null
        let leafKey = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../certs/sandbox/leaf-key.pem").standardizedFileURL
        key = try P256.Signing.PrivateKey(pemRepresentation: String(contentsOf: leafKey, encoding: .utf8))
        let anchor = try SandboxPKI.published.anchor()
        knowing = TokenVerifier(anchor: anchor)
        reference = try Reference(anchor)
        guard knowing.verify(token, at: .signingTime).isValid else { throw CocoaError(.featureUnsupported) }
        // A message that is assembled here must hit the known pair. Otherwise the fuzzer would not test the path with a known
        // pair.
        try run([Kind.values.rawValue, 0b111])
        guard knowing.chainCacheUse.hits == 1 else { throw CocoaError(.featureUnsupported) }
    }

    /// Inputs for an empty corpus.
    var seeds: [[UInt8]] {
        let values = Array("270115080001Z".utf8) + Array(repeating: 7, count: 32) + [0x30, 0x06, 2, 1, 1, 2, 1, 1]
        return [[Kind.message.rawValue] + honest.bytes, [Kind.attributes.rawValue] + honest.attributes]
            + (0..<8).map { [Kind.values.rawValue, $0] + values }
    }

    /// Stops the program if the verdicts on an input differ.
    func run(_ input: [UInt8]) throws {
        guard let first = input.first, let kind = Kind(rawValue: first % 3) else { return }
        let rest = Array(input.dropFirst())
        let message =
            switch kind {
            case .message: rest
            case .attributes: try honest.signing(rest, with: key)
            case .values: try values(rest)
            }
        guard var object = paymentData.objectValue else { return }
        object["signature"] = .string(Base64Text(encoding: message).text)
        let token = try PaymentToken(json: ["paymentData": .object(object)])
        let known = knowing.verify(token, at: .signingTime)
        // A new verifier knows no pair: OpenSSL validates the certificates.
        let verification = TokenVerifier(anchor: knowing.anchor).verify(token, at: .signingTime)
        guard known == verification else { fatalError("\(known.checks)\ndiffers from\n\(verification.checks)") }
        let judgement = reference.judge(token)
        guard verification.agrees(with: judgement) else {
            fatalError("\(verification.checks)\ndiffers from OpenSSL's\n\(judgement)")
        }
    }

    /// Returns a message like the honest one, with the values of an input. Each bit of the first byte selects an honest value
    /// instead: the token's own digest, the honest signing time, a signature by the leaf's key.
    private func values(_ input: [UInt8]) throws -> [UInt8] {
        let choice = input.first ?? 0
        let time = choice & 2 == 0 ? input.dropFirst().prefix(13) : []
        let digest = choice & 1 == 0 ? input.dropFirst(14).prefix(32) : []
        let attributes = honest.attributes(signingTime: time, messageDigest: digest)
        guard choice & 4 == 0 else { return try honest.signing(attributes, with: key) }
        return honest.with(attributes, signature: Array(input.dropFirst(46)))
    }
}
