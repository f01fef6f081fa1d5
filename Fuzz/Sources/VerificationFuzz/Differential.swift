import ApplePayToken
import Crypto
import Foundation
import Primitives
import TokenMint

/// A verifier that knows the chain, against one that has never seen it and asks OpenSSL.
struct Differential: Sendable {
    /// The first byte of an input says what the rest is.
    enum Kind: UInt8 {
        /// The signature as it is.
        case message
        /// Signed attributes, to be signed with the leaf's own key: whatever they say, the signature is valid.
        case attributes
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
    private let anchor: TrustAnchor
    private let knowing: TokenVerifier

    init() throws {
        let signedAt = Date(timeIntervalSince1970: 1_800_000_000)
        let json = try TokenMint().mint(TokenContents(amount: 10000, currency: "AED"), signedAt: signedAt)
        let token = try PaymentToken(json: json)
        honest = try Message(token.signature.bytes)
        paymentData = json["paymentData"] ?? .null
        let leafKey = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../certs/sandbox/leaf-key.pem").standardizedFileURL
        key = try P256.Signing.PrivateKey(pemRepresentation: String(contentsOf: leafKey, encoding: .utf8))
        anchor = try SandboxPKI.published.anchor()
        knowing = TokenVerifier(anchor: anchor)
        guard knowing.verify(token, at: .signingTime).isValid else { throw CocoaError(.featureUnsupported) }
    }

    /// Inputs to start from.
    var seeds: [[UInt8]] {
        [[Kind.message.rawValue] + honest.bytes, [Kind.attributes.rawValue] + honest.attributes]
    }

    /// Stops the program where the two differ in anything.
    func run(_ input: [UInt8]) throws {
        guard let first = input.first, let kind = Kind(rawValue: first & 1) else { return }
        let rest = Array(input.dropFirst())
        let message =
            switch kind {
            case .message: rest
            case .attributes: try honest.signing(rest, with: key)
            }
        guard var object = paymentData.objectValue else { return }
        object["signature"] = .string(Base64Text(encoding: message).text)
        let token = try PaymentToken(json: ["paymentData": .object(object)])
        let quick = knowing.verify(token, at: .signingTime)
        let reference = TokenVerifier(anchor: anchor).verify(token, at: .signingTime)
        guard quick == reference else { fatalError("\(quick.checks)\ndiffers from\n\(reference.checks)") }
    }
}
