import ApplePayToken
import Foundation
import PayrelayPrimitives
import TokenMint

extension ProcessingCertificate {
    init(pem: String) throws {
        self = try Self.all(inFile: Array(pem.utf8))[0]
    }
}

/// Minted tokens, and a verifier that trusts the PKI of their mint.
struct Sandbox {
    static let signingTime = Date(timeIntervalSince1970: 1_800_000_000)
    static let order = TokenContents(amount: 10000, currency: "AED")

    var pki = SandboxPKI.published

    var mint: TokenMint { TokenMint(pki: pki) }

    /// Verifies a token at its own signing time, with this PKI's root.
    func verify(_ json: JSON, at moment: Moment = .signingTime) throws -> TokenVerification {
        try TokenVerifier(anchor: pki.anchor()).verify(PaymentToken(json: json), at: moment)
    }

    /// Returns the first check that refuses a token, or `nil` if none does.
    func refusal(of json: JSON) throws -> CheckName? {
        let verification = try verify(json)
        return verification.isValid ? nil : verification.firstFailure?.name
    }

    func honestToken() throws -> JSON {
        try mint.mint(Self.order, signedAt: Self.signingTime)
    }

    /// Returns a token whose message was changed before it was written.
    func token(_ change: (inout SignedData, [UInt8]) throws -> Void) throws -> JSON {
        let token = try mint.unsigned(Self.order)
        var message = try mint.sign(token.signedContent, at: Self.signingTime)
        try change(&message, token.signedContent)
        return token.json(signature: try message.ber())
    }

    /// Returns a token whose signed attributes were changed before they were signed.
    func token(attributes change: (inout [CMSAttribute]) throws -> Void) throws -> JSON {
        try token { message, _ in
            var attributes = message.signers[0].signedAttributes
            try change(&attributes)
            message.signers = [try SignerInfo(signing: attributes, with: pki.leafKey, of: pki.leaf)]
        }
    }
}

extension JSON {
    /// Returns the value with the part at a path replaced. `nil` removes the part.
    func replacing(_ path: String..., with value: JSON?) -> JSON {
        replacing(path[...], with: value)
    }

    private func replacing(_ path: ArraySlice<String>, with value: JSON?) -> JSON {
        guard let name = path.first, var object = objectValue else { return value ?? .null }
        object[name] = path.count == 1 ? value : (object[name] ?? [:]).replacing(path.dropFirst(), with: value)
        return .object(object)
    }
}
