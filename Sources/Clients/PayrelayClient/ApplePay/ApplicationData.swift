#if canImport(CryptoKit)
import CryptoKit
public import Foundation
public import PayrelayAPI

extension Order {
    /// Binds the Apple Pay token to this order. Set `PKPaymentRequest.applicationData` to the same bytes. The
    /// relay then rejects a token that was authorized for other data.
    ///
    /// Sets ``applicationDataHash`` to the SHA-256 of the bytes, in hexadecimal digits.
    public mutating func setApplicationData(_ data: Data) {
        let digits = Array("0123456789abcdef")
        applicationDataHash = String(
            SHA256.hash(data: data).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 0xF)]] })
    }
}
#endif
