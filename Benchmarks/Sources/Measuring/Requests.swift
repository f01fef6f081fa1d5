/// Whole HTTP requests, ready as bytes, one after another in one piece of memory.
public struct Requests: Sendable {
    public private(set) var bytes: [UInt8] = []
    /// The offset at which each request ends.
    public private(set) var ends: [Int] = []

    public init() {}

    public var count: Int { ends.count }

    /// The average length of a request in bytes, including its head.
    public var meanLength: Int { bytes.count / max(1, count) }

    /// Adds a POST of JSON to `path`.
    public mutating func append(_ body: [UInt8], to path: String) {
        let head = """
            POST \(path) HTTP/1.1\r
            Host: 127.0.0.1\r
            Content-Type: application/json\r
            Content-Length: \(body.count)\r
            \r

            """
        bytes += head.utf8
        bytes += body
        ends.append(bytes.count)
    }

    public subscript(range: Range<Int>) -> Requests {
        var part = Requests()
        guard let last = range.last else { return part }
        let start = range.lowerBound == 0 ? 0 : ends[range.lowerBound - 1]
        part.bytes = Array(bytes[start..<ends[last]])
        part.ends = ends[range].map { $0 - start }
        return part
    }
}
