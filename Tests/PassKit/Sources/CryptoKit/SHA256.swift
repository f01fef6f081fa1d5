import COpenSSL
public import Foundation

/// The part of Apple's CryptoKit that the client library uses, by OpenSSL.
public enum SHA256 {
    public static func hash(data: Data) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        let bytes = [UInt8](data)
        precondition(EVP_Digest(bytes, bytes.count, &digest, nil, EVP_sha256(), nil) == 1)
        return digest
    }
}
