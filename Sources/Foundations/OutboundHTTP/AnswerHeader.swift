/// The header lines of an answer, as received. They are parsed when a field is asked for: most callers read the status and the body
/// alone.
struct AnswerHeader: Sendable {
    /// Every line with its ending.
    private var bytes: [UInt8] = []
    /// Whether the empty line that ends the header was received. libcurl accepts an answer that breaks off before it.
    private(set) var isWhole = false

    init() {}

    /// The header of an answer that is made up.
    init(_ fields: [(name: String, value: String)]) {
        bytes = fields.flatMap { Array("\($0.name): \($0.value)\r\n".utf8) }
        isWhole = true
    }

    /// Takes the next line. An answer that follows a 1xx one replaces its lines. What comes after the empty line is a trailer
    /// field, which must not pass for a header field (RFC 9110, 6.5.1).
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

    /// The fields in the order received. Lines without a colon are none.
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
    /// Without the white space of RFC 9110, 5.5 and the line's end.
    fileprivate var withoutSpaceAround: ArraySlice {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
        guard let end = lastIndex(where: { !isSpace($0) }) else { return [] }
        return self[...end].drop(while: isSpace)
    }
}
