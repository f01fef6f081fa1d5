/// Reads BER element by element, where the caller knows which must come next.
struct BERCursor {
    /// A constructed element that was entered, and is to be left.
    struct Frame {
        /// Nil where the length is indefinite.
        fileprivate let last: Int?
        fileprivate let limitAround: Int
    }

    private let bytes: [UInt8]
    private var position = 0
    private var limit: Int

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        limit = bytes.count
    }

    /// Whether nothing more stands in the element that was entered last.
    var isAtEnd: Bool { position == limit }

    /// Goes into a constructed element, of definite or indefinite length.
    mutating func enter(_ tag: UInt8) throws(CheckFailure) -> Frame {
        enter(try next(tag))
    }

    /// Goes into a constructed element of definite length.
    ///
    /// - Returns: also where it lies, header included.
    mutating func enterDefinite(_ tag: UInt8) throws(CheckFailure) -> (frame: Frame, element: Range<Int>) {
        let header = try next(tag)
        guard let last = header.last else { throw indefinite }
        let element = position..<last
        return (enter(header), element)
    }

    private mutating func enter(_ header: BERHeader) -> Frame {
        let frame = Frame(last: header.last, limitAround: limit)
        position = header.first
        limit = header.last ?? limit
        return frame
    }

    /// Goes out of an element, all of which must have been read.
    mutating func leave(_ frame: Frame) throws(CheckFailure) {
        if frame.last == nil {
            guard position + 2 <= limit, bytes[position] == 0, bytes[position + 1] == 0 else { throw surplus }
            position += 2
        } else {
            guard isAtEnd else { throw surplus }
        }
        limit = frame.limitAround
    }

    /// Goes past an element of definite length.
    ///
    /// - Parameter tag: nil for any.
    /// - Returns: where it lies, header included, and where its content lies.
    mutating func pass(_ tag: UInt8? = nil) throws(CheckFailure) -> (element: Range<Int>, content: Range<Int>) {
        let header = try next(tag)
        guard let last = header.last else { throw indefinite }
        defer { position = last }
        return (position..<last, header.first..<last)
    }

    /// Goes past exactly these bytes.
    mutating func pass(_ expected: [UInt8]) throws(CheckFailure) {
        guard limit - position >= expected.count, bytes[position..<(position + expected.count)] == expected[...] else {
            throw CheckFailure("something else stands at byte \(position)")
        }
        position += expected.count
    }

    private func next(_ tag: UInt8?) throws(CheckFailure) -> BERHeader {
        let header = try BERHeader(in: bytes, at: position, limit: limit)
        guard tag == nil || tag == header.tag else { throw CheckFailure("another element stands at byte \(position)") }
        return header
    }

    private var indefinite: CheckFailure { CheckFailure("the length at byte \(position + 1) is indefinite") }

    private var surplus: CheckFailure { CheckFailure("an element goes on at byte \(position)") }
}
