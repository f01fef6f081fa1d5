import Glibc
import PayrelayPrimitives
import Synchronization

/// Random identifiers of traces, spans and requests. The kernel is asked for many at once: a call for each would cost as much as all else
/// that a span needs.
package enum TraceIdentifiers {
    private static let random = Mutex<[UInt8]>([])

    /// As many bytes as the kernel gives in one call (getentropy(3)).
    private static let supply = 256

    /// - Parameter count: how many bytes.
    /// - Returns: lower-case hex, not all zero.
    package static func next(bytes count: Int) -> String {
        let bytes = random.withLock { random in
            if random.count < count { random = fresh() }
            defer { random.removeLast(count) }
            return Array(random.suffix(count))
        }
        return bytes.allSatisfy { $0 == 0 } ? next(bytes: count) : HexText(encoding: bytes).text
    }

    private static func fresh() -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: supply)
        if getentropy(&bytes, supply) == 0 { return bytes }
        return bytes.map { _ in UInt8.random(in: 0 ... .max) }
    }
}
