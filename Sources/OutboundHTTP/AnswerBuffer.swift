/// Collects an answer piece by piece, up to a limit (S6).
struct AnswerBuffer {
    /// The header fields of the latest answer: those of a 1xx answer are dropped for the ones that follow.
    private(set) var headers: [(name: String, value: String)] = []
    private(set) var body: [UInt8] = []
    /// Whether the empty line that ends the header was received. libcurl accepts an answer that breaks off before it.
    private(set) var hasWholeHeader = false
    private var room: Int

    /// - Parameter limit: in bytes, header lines and body together.
    init(limit: Int) {
        room = max(0, limit)
    }

    /// Takes a header line with its line ending; false where there is no more room.
    mutating func take(headerLine bytes: some Collection<UInt8>) -> Bool {
        guard claim(bytes.count) else { return false }
        let line = String(decoding: bytes, as: UTF8.self)
        if line.hasPrefix("HTTP/") {
            headers = []
            hasWholeHeader = false
        } else if line == "\r\n" || line == "\n" {
            hasWholeHeader = true
        } else if body.isEmpty, let colon = line.firstIndex(of: ":") {
            // After the body come trailer fields, which must not pass for header fields (RFC 9110, 6.5.1).
            headers.append((String(line[..<colon]), Self.trimmed(line[line.index(after: colon)...])))
        }
        return true
    }

    /// Takes a piece of the body; false where there is no more room.
    mutating func take(body bytes: some Collection<UInt8>) -> Bool {
        guard claim(bytes.count) else { return false }
        body.append(contentsOf: bytes)
        return true
    }

    private mutating func claim(_ count: Int) -> Bool {
        guard count <= room else { return false }
        room -= count
        return true
    }

    /// Without the white space of RFC 9110, 5.5 and the line's end.
    private static func trimmed(_ text: Substring) -> String {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
        var bytes = text.utf8.drop(while: isSpace)
        while bytes.last.map(isSpace) == true { bytes.removeLast() }
        return String(Substring(bytes))
    }
}
