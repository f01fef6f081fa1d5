/// An answer of HTTP/1.1 as it came over a connection that ends with it (RFC 9112). Only whole ones are read.
struct HTTPAnswer {
    let response: TransportResponse
    /// Whether the answer says how long its body is; else the end of the stream is the body's end.
    let hasLength: Bool

    /// Nil where it is not whole, or not what RFC 9112 allows.
    init?(_ bytes: [UInt8]) {
        guard let end = Self.headEnd(in: bytes) else { return nil }
        var lines = bytes[..<end].split(separator: 10, omittingEmptySubsequences: false).map { line in
            String(decoding: line.last == 13 ? line.dropLast() : line, as: UTF8.self)
        }
        let statusLine = lines.removeFirst().split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard statusLine.count >= 2, statusLine[0].hasPrefix("HTTP/1."), statusLine[1].utf8.count == 3,
            let status = Int(statusLine[1]), (200...599).contains(status)
        else { return nil }
        var fields: [String: String] = [:]
        for line in lines {
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty else { return nil }
            let value = parts[1].drop { $0 == " " || $0 == "\t" }
            // A length that stands twice could be read in two ways.
            guard
                fields.updateValue(String(value), forKey: parts[0].lowercased()) == nil
                    || parts[0].lowercased() != "content-length"
            else { return nil }
        }
        // The relay knows the length of every answer.
        guard fields["transfer-encoding"] == nil else { return nil }
        var body = bytes[(end + 4)...]
        if let text = fields["content-length"] {
            guard let length = Int(text), (0...body.count).contains(length) else { return nil }
            body = body.prefix(length)
        }
        hasLength = fields["content-length"] != nil
        response = TransportResponse(status: status, retryAfter: fields["retry-after"], body: Array(body))
    }

    private static func headEnd(in bytes: [UInt8]) -> Int? {
        guard bytes.count >= 4 else { return nil }
        return (0...(bytes.count - 4)).first { bytes[$0..<($0 + 4)].elementsEqual([13, 10, 13, 10]) }
    }
}
