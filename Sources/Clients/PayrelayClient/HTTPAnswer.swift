import PayrelayPrimitives

/// An answer of HTTP/1.1 as it came over a connection of its own (RFC 9112). Only whole ones are read.
struct HTTPAnswer {
    let response: TransportResponse

    /// - Parameter bytes: all that came before the end of the stream, or before the end that the header tells.
    /// - Returns: nil where the answer is not whole, or not what RFC 9112 allows.
    init?(_ bytes: [UInt8]) {
        guard let head = HTTPAnswerHead(of: bytes) else { return nil }
        var body = bytes[head.length...]
        if let length = head.contentLength {
            guard length <= body.count else { return nil }
            body = body.prefix(length)
        }
        response = TransportResponse(status: head.status, retryAfter: head.retryAfter, body: Array(body))
    }
}

/// Puts an answer together piece by piece.
struct HTTPAnswerReader {
    private(set) var bytes: [UInt8] = []
    /// Of the whole answer; nil until its head has come, or where only the end of the stream tells.
    private var length: Int?

    var isWhole: Bool { length.map { bytes.count >= $0 } ?? false }

    mutating func append(_ piece: ArraySlice<UInt8>) {
        // The end of the head may lie across two pieces.
        let start = max(0, bytes.count - 3)
        bytes += piece
        if length == nil, let head = HTTPAnswerHead(of: bytes, searchingFrom: start) {
            length = head.contentLength.map { head.length + $0 }
        }
    }
}

/// The status line and the header of an answer.
struct HTTPAnswerHead {
    /// 200 to 599.
    let status: Int
    let retryAfter: String?
    /// In bytes; nil where the end of the stream is the body's end.
    let contentLength: Int?
    /// In bytes, with the empty line at the end.
    let length: Int

    /// Nil where the end of the head has not come, or where it is not what RFC 9112 allows.
    ///
    /// - Parameter start: where the end is searched for; before it there is none.
    init?(of bytes: [UInt8], searchingFrom start: Int = 0) {
        guard let end = Self.end(in: bytes, from: start) else { return nil }
        var lines = bytes[..<end].split(separator: 10, omittingEmptySubsequences: false).map { line in
            String(decoding: line.last == 13 ? line.dropLast() : line, as: UTF8.self)
        }
        let statusLine = lines.removeFirst().parts(at: " ", max: 3)
        guard statusLine.count >= 2, statusLine[0].begins(with: "HTTP/1."), statusLine[1].utf8.count == 3,
            let status = Self.number(statusLine[1]), (200...599).contains(status)
        else { return nil }
        var fields: [String: String] = [:]
        for line in lines {
            let (before, value) = line.cut(at: ":")
            guard let value, !before.isEmpty else { return nil }
            let name = before.lowercasedASCII
            let isRepeated = fields.updateValue(String(value.trimmedOfSpaces), forKey: name) != nil
            // A length that stands twice could be read in two ways.
            guard !isRepeated || name != "content-length" else { return nil }
        }
        // The relay knows the length of every answer.
        guard fields["transfer-encoding"] == nil else { return nil }
        if let text = fields["content-length"] {
            guard let length = Self.number(text[...]) else { return nil }
            contentLength = length
        } else {
            contentLength = nil
        }
        self.status = status
        retryAfter = fields["retry-after"]
        length = end + 4
    }

    private static func end(in bytes: [UInt8], from start: Int) -> Int? {
        guard bytes.count >= start + 4 else { return nil }
        return (start...(bytes.count - 4)).first { bytes[$0..<($0 + 4)].elementsEqual([13, 10, 13, 10]) }
    }

    /// Digits alone, nine at the most: no sign, and no number that could overflow.
    private static func number(_ text: Substring) -> Int? {
        guard (1...9).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int(text)
    }
}
