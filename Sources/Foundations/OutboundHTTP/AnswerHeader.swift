/// The header lines of a response, as they were received. They are parsed only when a field is read, because most
/// callers read only the status and the body.
struct AnswerHeader: Sendable {
    /// Every line with its line ending.
    private var bytes: [UInt8] = []
    /// Whether the empty line that ends the header section was received. libcurl accepts a response that breaks
    /// off before it.
    private(set) var isWhole = false

    init() {}

    /// Creates the header of an artificial response.
    init(_ fields: [(name: String, value: String)]) {
        bytes = fields.flatMap { Array("\($0.name): \($0.value)\r\n".utf8) }
        isWhole = true
    }

    /// Appends the next line. The header of a response that follows a 1xx response replaces the lines before.
    /// Lines after the empty line are trailer fields, which must not be treated as header fields (RFC 9110,
    /// 6.5.1).
    mutating func take(line: UnsafeRawBufferPointer) {
        if line.starts(with: "HTTP/".utf8) {
            bytes.removeAll(keepingCapacity: true)
            isWhole = false
        } else if line.elementsEqual("\r\n".utf8) || line.elementsEqual("\n".utf8) {
            isWhole = true
        } else if !isWhole {
            if bytes.isEmpty { bytes.reserveCapacity(512) }
            bytes.append(contentsOf: line)
        }
    }

    /// The fields in the order in which they were received. Lines without a colon are skipped.
    var fields: [(name: String, value: String)] {
        bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return nil }
            return (
                String(decoding: line[..<colon], as: UTF8.self),
                String(decoding: line[(colon + 1)...].withoutSpaceAround, as: UTF8.self)
            )
        }
    }
}

extension ArraySlice<UInt8> {
    /// The bytes without surrounding white space (RFC 9110, 5.5) and without the line ending.
    fileprivate var withoutSpaceAround: ArraySlice {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
        guard let end = lastIndex(where: { !isSpace($0) }) else { return [] }
        return self[...end].drop(while: isSpace)
    }
}
