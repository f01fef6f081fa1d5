import ApplePayToken
import CMSReference
import Crypto
import Foundation

/// OpenSSL's own parser for a token's message, and its verdict by `CMS_verify`.
// Safe: nothing modifies the anchor once it is made, and OpenSSL counts the references to it atomically.
struct Reference: @unchecked Sendable {
    private let anchor: OpaquePointer

    /// Makes a reference that lives as long as the program runs.
    init(_ anchor: TrustAnchor) throws {
        let made = anchor.name.withReference { name in
            anchor.publicKey.withReference { cms_anchor_new(name, $0) }
        }
        guard let made else { throw CocoaError(.featureUnsupported) }
        self.anchor = made
    }

    func judge(_ token: PaymentToken) -> cms_judgement {
        token.signature.bytes.withReference { message in
            token.signedContent.withReference { cms_judge(anchor, message, $0) }
        }
    }
}

extension TokenVerification {
    /// Whether both verdicts agree. If a token is accepted here, `CMS_verify` must accept it too, with the same signer and
    /// signing time. If only `CMS_verify` accepts it, a stricter check must have refused it.
    func agrees(with judgement: cms_judgement) -> Bool {
        guard isValid else {
            let loose: Set<CheckName> = [.certificates, .chain, .messageDigest, .signature]
            return !judgement.is_valid || firstFailure.map { !loose.contains($0.name) } ?? false
        }
        let signer = withUnsafeBytes(of: judgement.signer) { Array($0) }
        return judgement.is_valid && judgement.certificates == certificates.count
            && signingTime == Date(timeIntervalSince1970: Double(judgement.signing_time))
            && leaf.map { Array(SHA256.hash(data: $0.der)) } == signer
    }
}

extension [UInt8] {
    fileprivate func withReference<Value>(_ body: (cms_bytes) -> Value) -> Value {
        withUnsafeBufferPointer { body(cms_bytes(start: $0.baseAddress, count: $0.count)) }
    }
}
