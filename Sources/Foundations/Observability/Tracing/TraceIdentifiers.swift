import Glibc
import PayrelayPrimitives

/// Random identifiers of traces, spans and requests.
package enum TraceIdentifiers {
    /// Returns a new identifier.
    ///
    /// - Parameter count: the number of bytes.
    /// - Returns: a random identifier in lower-case hex, not all zero.
    package static func next(bytes count: Int) -> String {
        var bytes = [UInt8](repeating: 0, count: count)
        if getentropy(&bytes, count) != 0 { bytes = bytes.map { _ in UInt8.random(in: 0 ... .max) } }
        return bytes.allSatisfy { $0 == 0 } ? next(bytes: count) : HexText(encoding: bytes).text
    }
}
