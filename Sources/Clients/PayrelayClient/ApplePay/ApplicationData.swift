#if canImport(CryptoKit)
import CryptoKit
public import Foundation
public import PayrelayAPI

extension Order {
    /// Binds the Apple Pay token to this order: give the same bytes to `PKPaymentRequest.applicationData`, and the relay
    /// refuses a token that was authorized for others.
    ///
    /// It sets ``applicationDataHash`` to their SHA-256, in hexadecimal digits.
    public mutating func setApplicationData(_ data: Data) {
        let digits = Array("0123456789abcdef")
        applicationDataHash = String(
            SHA256.hash(data: data).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 0xF)]] })
    }
}
#endif
