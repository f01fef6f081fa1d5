/// Collects an answer piece by piece, up to a limit (S6).
struct AnswerBuffer {
    private(set) var header = AnswerHeader()
    private(set) var body: [UInt8] = []
    private var room: Int

    /// - Parameter limit: in bytes, header lines and body together.
    init(limit: Int) {
        room = max(0, limit)
    }

    /// Takes a header line with its line ending; false where there is no more room.
    mutating func take(headerLine bytes: UnsafeRawBufferPointer) -> Bool {
        guard claim(bytes.count) else { return false }
        // After the body come trailer fields.
        if body.isEmpty { header.take(line: bytes) }
        return true
    }

    /// Takes a piece of the body; false where there is no more room.
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
