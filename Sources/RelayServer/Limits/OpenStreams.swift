import Synchronization

/// How many streams of HTTP/2 are open on all connections of a listener. Each costs what a connection of HTTP/1 does, and a
/// connection may have a hundred.
final class OpenStreams: Sendable {
    private let number = Atomic(0)
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    /// Counts a stream; false where it is one too many, which counts until it is closed like any other.
    func open() -> Bool { number.add(1, ordering: .relaxed).newValue <= limit }

    func close() { number.subtract(1, ordering: .relaxed) }
}
