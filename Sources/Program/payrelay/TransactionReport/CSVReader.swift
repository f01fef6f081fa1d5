/// Reads the records of a CSV file (RFC 4180) one by one, however long the file is.
///
/// It is more lenient than the RFC in these points:
///
/// - A record may end with only a line feed.
/// - The delimiter may be another character.
/// - A byte order mark and empty lines are skipped.
///
/// A malformed record is returned as its lines and the reason, and reading continues at the next line. At most
/// about ``recordLimit`` bytes are kept.
struct CSVReader {
    /// A record, or lines that are malformed.
    enum Event: Equatable, Sendable {
        /// A record that begins on this line, counted from 1. ``text(_:)`` returns its fields.
        case record(line: Int)
        /// Lines that are not a record.
        case malformed(lines: ClosedRange<Int>, reason: String)
    }

    /// The size limit of a record, in bytes. Without it, a quotation mark that is never closed would make the
    /// rest of the file one record.
    static let recordLimit = 1 << 16
    /// The maximum number of fields of a record.
    static let fieldLimit = 1_000

    private struct Field {
        let range: Range<Int>
        let hasDoubledQuotes: Bool
    }

    private let delimiter: UInt8
    private let source: () throws -> [UInt8]
    private var buffer: [UInt8] = []
    private var position = 0
    private var line = 1
    private var isAtEnd = false
    private var isAtStart = true
    private var fields: [Field] = []

    /// - Parameters:
    ///   - delimiter: the delimiter, an ASCII character.
    ///   - source: returns the next bytes; no bytes at the end.
    init(delimiter: UInt8 = UInt8(ascii: ","), source: @escaping () throws -> [UInt8]) {
        self.delimiter = delimiter
        self.source = source
    }

    /// The number of fields of the last record.
    var fieldCount: Int { fields.count }

    /// Returns a field of the last record, without its quotation marks; `nil` if it is not UTF-8.
    func text(_ field: Int) -> String? {
        let found = fields[field]
        guard found.hasDoubledQuotes else { return String(validating: buffer[found.range], as: UTF8.self) }
        var bytes: [UInt8] = []
        var isSecond = false
        for byte in buffer[found.range] {
            isSecond = byte == Self.quote && !isSecond
            if !isSecond || byte != Self.quote { bytes.append(byte) }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    /// Reads the next record.
    ///
    /// - Returns: the next record or malformed lines; `nil` at the end.
    mutating func next() throws -> Event? {
        if isAtStart { try skipByteOrderMark() }
        while true {
            switch parse() {
            case .record(let end, let lines):
                let first = line
                line += lines
                position = end
                if fields.count == 1, fields[0].range.isEmpty, !fields[0].hasDoubledQuotes { continue }
                return .record(line: first)
            case .incomplete:
                if try !read() { return nil }
            case .malformed(let at, let lines, let reason):
                let first = line
                line += lines
                position = at
                try skipLine()
                return .malformed(lines: first...max(first, line - 1), reason: reason)
            }
        }
    }

    private enum Parsed {
        /// A record. The values are the position after it and the number of its line feeds.
        case record(end: Int, lines: Int)
        /// More bytes are needed. At the end of the file, nothing is left.
        case incomplete
        /// The record is malformed at this position, after so many line feeds.
        case malformed(at: Int, lines: Int, reason: String)
    }

    private static let quote = UInt8(ascii: "\"")
    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")

    /// Parses the record at the current position. If it was incomplete before, parsing begins again at its
    /// beginning.
    private mutating func parse() -> Parsed {
        fields.removeAll(keepingCapacity: true)
        let (start, delimiter) = (position, delimiter)
        if start == buffer.count, isAtEnd { return .incomplete }
        var place = start
        var lines = 0
        // With the array itself, each byte would cost a check of its uniqueness and bounds.
        return buffer.withUnsafeBufferPointer { bytes in
            while true {
                let field: Field
                if place < bytes.count, bytes[place] == Self.quote {
                    let first = place + 1
                    var hasDoubled = false
                    place = first
                    while true {
                        guard place < bytes.count else {
                            return unfinished(at: place, lines, "a quotation mark is not closed")
                        }
                        if bytes[place] == Self.lineFeed { lines += 1 }
                        if bytes[place] == Self.quote {
                            if place + 1 == bytes.count, !isAtEnd { return unfinished(at: place, lines, "") }
                            guard place + 1 < bytes.count, bytes[place + 1] == Self.quote else { break }
                            hasDoubled = true
                            place += 1
                        }
                        place += 1
                        if place - start > Self.recordLimit {
                            return .malformed(at: place, lines: lines, reason: "a quotation mark is not closed")
                        }
                    }
                    field = Field(range: first..<place, hasDoubledQuotes: hasDoubled)
                    place += 1
                } else {
                    let first = place
                    while place < bytes.count {
                        let byte = bytes[place]
                        if byte == delimiter || byte == Self.lineFeed || byte == Self.carriageReturn { break }
                        if byte == Self.quote {
                            return .malformed(
                                at: place, lines: lines, reason: "a quotation mark stands within a field without any")
                        }
                        place += 1
                    }
                    if place - start > Self.recordLimit {
                        return .malformed(at: place, lines: lines, reason: "the record is too long")
                    }
                    field = Field(range: first..<place, hasDoubledQuotes: false)
                }
                fields.append(field)
                if fields.count > Self.fieldLimit {
                    return .malformed(at: place, lines: lines, reason: "the record has too many fields")
                }
                guard place < bytes.count else {
                    return isAtEnd ? .record(end: place, lines: lines + 1) : unfinished(at: place, lines, "")
                }
                switch bytes[place] {
                case delimiter: place += 1
                case Self.lineFeed: return .record(end: place + 1, lines: lines + 1)
                case Self.carriageReturn:
                    if place + 1 == bytes.count, !isAtEnd { return unfinished(at: place, lines, "") }
                    guard place + 1 < bytes.count, bytes[place + 1] == Self.lineFeed else {
                        return .malformed(at: place, lines: lines, reason: "a carriage return without a line feed")
                    }
                    return .record(end: place + 2, lines: lines + 1)
                default: return .malformed(at: place, lines: lines, reason: "text after a closing quotation mark")
                }
            }
        }
    }

    /// Returns the result at the end of the buffer: more bytes may come, or the record is malformed.
    private func unfinished(at place: Int, _ lines: Int, _ reason: String) -> Parsed {
        isAtEnd ? .malformed(at: place, lines: lines, reason: reason) : .incomplete
    }

    /// Skips to the beginning of the next line.
    private mutating func skipLine() throws {
        var isAfterLineFeed = position > 0 && buffer[position - 1] == Self.lineFeed
        while true {
            if let end = buffer[position...].firstIndex(of: Self.lineFeed) {
                position = end + 1
                line += 1
                return
            }
            if position < buffer.count { isAfterLineFeed = false }
            position = buffer.count
            guard try read() else {
                // Bytes that were skipped up to the end of the file are a line, unless there were none.
                if !isAfterLineFeed { line += 1 }
                return
            }
        }
    }

    /// Appends more bytes to those that are left. Returns false at the end.
    private mutating func read() throws -> Bool {
        if isAtEnd { return false }
        buffer.removeSubrange(..<position)
        position = 0
        let more = try source()
        isAtEnd = more.isEmpty
        buffer += more
        return true
    }

    private mutating func skipByteOrderMark() throws {
        isAtStart = false
        while buffer.count < 3, try read() {}
        if buffer.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    }
}
