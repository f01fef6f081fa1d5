/// An element of BER (ITU-T X.690, 8.1) and where its content lies.
///
/// OpenSSL reads more than the standard allows, such as a SEQUENCE without its constructed bit, and none of that is
/// signed. What one payment looks like must not be the sender's choice, so the form is checked before OpenSSL reads.
struct BERElement {
    let tag: UInt8
    /// Where the element starts, with its tag.
    let start: Int
    /// The content, without the end-of-contents octets of an indefinite length.
    let content: Range<Int>
    /// Where the next element starts.
    let end: Int

    /// The element with its tag and its length.
    var whole: Range<Int> { start..<end }

    var hasDefiniteLength: Bool { content.upperBound == end }

    /// Apple's deepest element, in a certificate's name, is the tenth level.
    private static let depthLimit = 24

    /// Reads one element, and the form of everything within it.
    ///
    /// - Throws: ``CheckFailure`` where a length is not minimal or leads beyond `limit`, a tag is not of one byte, a
    ///   constructed bit is wrong, or the nesting is too deep.
    init(in bytes: [UInt8], at start: Int, limit: Int) throws(CheckFailure) {
        try self.init(in: bytes, at: start, limit: limit, depth: 0, isRead: false)
    }

    /// - Parameter isRead: whether the element around this one has been read, and so the form of everything within.
    private init(in bytes: [UInt8], at start: Int, limit: Int, depth: Int, isRead: Bool) throws(CheckFailure) {
        guard depth < Self.depthLimit else { throw CheckFailure("the BER nests deeper than \(Self.depthLimit) levels") }
        let header = try BERHeader(in: bytes, at: start, limit: limit)
        tag = header.tag
        self.start = start
        var position = header.first
        if header.isConstructed, !isRead || header.last == nil {
            let last = header.last ?? limit
            while position < last, !(header.last == nil && bytes[position] == 0) {
                let child = try BERElement(in: bytes, at: position, limit: last, depth: depth + 1, isRead: isRead)
                position = child.end
            }
        }
        if let last = header.last {
            content = header.first..<last
            end = last
        } else {
            guard position + 2 <= limit, bytes[position + 1] == 0 else {
                throw CheckFailure("the BER lacks the end of an element, at byte \(position)")
            }
            content = header.first..<position
            end = position + 2
        }
    }

    /// The elements directly within this one.
    func children(in bytes: [UInt8]) throws(CheckFailure) -> [BERElement] {
        var children: [BERElement] = []
        var position = content.lowerBound
        while position < content.upperBound {
            let child = try BERElement(
                in: bytes, at: position, limit: content.upperBound, depth: 0, isRead: true)
            children.append(child)
            position = child.end
        }
        return children
    }

    /// Whether everything in it has a definite length. Where that is so the form is DER's: lengths are minimal, and strings are of
    /// one piece.
    func isDER(in bytes: [UInt8]) throws(CheckFailure) -> Bool {
        guard hasDefiniteLength else { return false }
        guard tag & 0x20 != 0 else { return true }
        for child in try children(in: bytes) where try !child.isDER(in: bytes) { return false }
        return true
    }
}

/// The identifier and the length of an element of BER (ITU-T X.690, 8.1.2 and 8.1.3), in the one form that is taken.
struct BERHeader {
    let tag: UInt8
    /// Where the content starts.
    let first: Int
    /// Where the content ends; nil where the length is indefinite.
    let last: Int?

    var isConstructed: Bool { tag & 0x20 != 0 }

    /// - Throws: ``CheckFailure`` where a length is not minimal or leads beyond `limit`, a tag is not of one byte, or a
    ///   constructed bit is wrong.
    init(in bytes: [UInt8], at start: Int, limit: Int) throws(CheckFailure) {
        guard start + 2 <= limit else { throw CheckFailure("the BER ends within an element, at byte \(start)") }
        tag = bytes[start]
        let isConstructed = tag & 0x20 != 0
        // In a CMS message SEQUENCE, SET and everything that is not of the universal class are constructed.
        let mustBeConstructed = tag & 0xC0 != 0 || tag & 0x1F == 0x10 || tag & 0x1F == 0x11
        guard tag != 0, tag & 0x1F != 0x1F, isConstructed == mustBeConstructed else {
            throw CheckFailure("the BER has no valid tag at byte \(start)")
        }

        guard bytes[start + 1] != 0x80 else {
            guard isConstructed else { throw CheckFailure("the BER has no valid length at byte \(start + 1)") }
            first = start + 2
            last = nil
            return
        }
        let content = try Self.content(in: bytes, at: start + 1, limit: limit)
        first = content.lowerBound
        last = content.upperBound
    }

    /// The range of the content by a definite length.
    private static func content(in bytes: [UInt8], at place: Int, limit: Int) throws(CheckFailure) -> Range<Int> {
        var length = Int(bytes[place])
        var first = place + 1
        if length > 0x80 {
            let count = length & 0x7F
            guard count <= 3, first + count <= limit else {
                throw CheckFailure("the BER has no valid length at byte \(place)")
            }
            length = 0
            for digit in 0..<count { length = length << 8 | Int(bytes[first + digit]) }
            first += count
            guard length >= 0x80, count == 1 || length >> (8 * (count - 1)) > 0 else {
                throw CheckFailure("the BER has a length that is not minimal, at byte \(place)")
            }
        }
        guard length <= limit - first else {
            throw CheckFailure("the BER ends within an element, at byte \(place - 1)")
        }
        return first..<(first + length)
    }
}
