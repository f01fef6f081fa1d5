import CServedFiles
import Crypto
import FoundationEssentials
import PayrelayPrimitives

/// The module for checkout pages, embedded in the binary: `payrelay.js`, which is beside this file, and its
/// TypeScript declarations, both in UTF-8.
public enum WebAssets {
    public static let module = bytes(of: payrelay_module())
    /// The module in gzip's format (RFC 1952).
    public static let compressedModule = bytes(of: payrelay_compressed_module())
    public static let declarations = bytes(of: payrelay_declarations())

    private static func bytes(of file: payrelay_served_file) -> [UInt8] {
        Array(UnsafeBufferPointer(start: file.bytes, count: Int(file.length)))
    }

    /// The path at which the module never changes. It contains the first 16 hexadecimal digits of the module's
    /// SHA-256.
    public static let versionedPath = "/payrelay/\(version(of: module))/payrelay.js"

    /// The module's SHA-384 for the `integrity` attribute (Subresource Integrity).
    public static var integrity: String { "sha384-" + Data(SHA384.hash(data: module)).base64EncodedString() }

    /// Returns the first 16 hexadecimal digits of the SHA-256.
    public static func version(of bytes: [UInt8]) -> String {
        HexText(encoding: SHA256.hash(data: bytes).prefix(8)).text
    }
}
