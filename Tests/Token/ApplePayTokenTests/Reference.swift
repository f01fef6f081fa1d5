import CMSReference
import Foundation
import PayrelayPrimitives

@testable import ApplePayToken

/// OpenSSL's own parser for a token's message, and its verdict by `CMS_verify`.
// Safe: nothing modifies the anchor once it is made, and OpenSSL counts the references to it atomically.
struct Reference: @unchecked Sendable {
    private let anchor: OpaquePointer

    /// Makes a reference that lives as long as the tests run.
    init(anchor: TrustAnchor) throws {
        let made = anchor.name.withReference { name in
            anchor.publicKey.withReference { cms_anchor_new(name, $0) }
        }
        guard let made else { throw CheckFailure("OpenSSL does not take the anchor") }
        self.anchor = made
    }

    func judge(_ token: PaymentToken) -> cms_judgement {
        token.signature.bytes.withReference { message in
            token.signedContent.withReference { cms_judge(anchor, message, $0) }
        }
    }
}

extension cms_judgement {
    var signingTime: Date? {
        signing_time == .min ? nil : Date(timeIntervalSince1970: Double(signing_time))
    }

    /// The SHA-256 of the signer's certificate.
    var signerDigest: [UInt8] { withUnsafeBytes(of: signer) { Array($0) } }
}

extension [UInt8] {
    fileprivate func withReference<Value>(_ body: (cms_bytes) -> Value) -> Value {
        withUnsafeBufferPointer { body(cms_bytes(start: $0.baseAddress, count: $0.count)) }
    }
}
