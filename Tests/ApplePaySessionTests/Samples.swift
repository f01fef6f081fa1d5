import ApplePaySession
import Foundation
import TokenMint

/// A folder that is gone with the last reference.
final class Folder: Sendable {
    let url = FileManager.default.temporaryDirectory.appending(path: "payrelay-\(UUID().uuidString)")

    init() throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// - Returns: the path of a file with this text; without a text, of one that need not be there.
    func file(_ name: String, _ text: String? = nil) throws -> String {
        let path = url.appending(path: name).path
        try text?.write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    /// The paths of a merchant's certificate and key that were minted here.
    func identity(of merchantIdentifier: String = "merchant.a") throws -> (certificate: String, key: String) {
        let path = url.appending(path: UUID().uuidString).path
        try SessionPKI(merchantIdentifier: merchantIdentifier).write(to: path)
        return ("\(path)/merchant.pem", "\(path)/merchant.key")
    }
}
