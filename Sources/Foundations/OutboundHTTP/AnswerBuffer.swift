/// A buffer that collects a response piece by piece, up to a limit (S6).
struct AnswerBuffer {
    private(set) var header = AnswerHeader()
    private(set) var body: [UInt8] = []
    private var room: Int

    /// - Parameter limit: the limit in bytes, for the header lines and the body together.
    init(limit: Int) {
        room = max(0, limit)
    }

    /// Appends a header line, which includes its line ending. Returns false if it exceeds the limit.
    mutating func take(headerLine bytes: UnsafeRawBufferPointer) -> Bool {
        guard claim(bytes.count) else { return false }
        // Header lines after the body are trailer fields, which are ignored.
        if body.isEmpty { header.take(line: bytes) }
        return true
    }

    /// Appends a part of the body. Returns false if it exceeds the limit.
    mutating func take(body bytes: UnsafeRawBufferPointer) -> Bool {
        guard claim(bytes.count) else { return false }
        body.append(contentsOf: bytes)
        return true
    }

    private mutating func claim(_ count: Int) -> Bool {
        guard count <= room else { return false }
        room -= count
        return true
    }
}
