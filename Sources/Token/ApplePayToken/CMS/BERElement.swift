/// An element of BER of definite length (ITU-T X.690, 8.1) and where its content lies.
struct BERElement {
    let tag: UInt8
    /// Where the element starts, with its tag.
    let start: Int
    let content: Range<Int>

    /// Where the next element starts.
    var end: Int { content.upperBound }

    /// The element with its tag and its length.
    var whole: Range<Int> { start..<end }

    /// Apple's deepest element, in a certificate's name, is the tenth level.
    private static let depthLimit = 24

    /// Reads the header of one element, and nothing within it.
    ///
    /// - Throws: ``CheckFailure`` where it is not in the one form that is taken, or its length is indefinite.
    init(in bytes: [UInt8], at start: Int, limit: Int) throws(CheckFailure) {
        let header = try BERHeader(in: bytes, at: start, limit: limit)
        guard let last = header.last else {
            throw CheckFailure("the BER has an indefinite length where DER must be, at byte \(start)")
        }
        tag = header.tag
        self.start = start
        content = header.first..<last
    }

    /// Reads the form of everything within the element, which must be DER's (ITU-T X.690, 10 and 11).
    ///
    /// - Parameter isSet: whether the tag stands in place of a SET's.
    /// - Throws: ``CheckFailure`` where a length is indefinite, a SET is not in order, or a value has another encoding too.
    func requireDER(in bytes: [UInt8], isSet: Bool = false) throws(CheckFailure) {
        try requireDER(in: bytes, isSet: isSet || tag == 0x31, depth: 0)
    }

    private func requireDER(in bytes: [UInt8], isSet: Bool, depth: Int) throws(CheckFailure) {
        guard depth < Self.depthLimit else { throw CheckFailure("the BER nests deeper than \(Self.depthLimit) levels") }
        guard tag & 0x20 != 0 else {
            guard DER.isValue(bytes[content], tag: tag) else {
                throw CheckFailure("the BER has a value that is not DER, at byte \(start)")
            }
            return
        }
        var previous: BERElement?
        var position = content.lowerBound
        while position < content.upperBound {
            let child = try BERElement(in: bytes, at: position, limit: content.upperBound)
            try child.requireDER(in: bytes, isSet: child.tag == 0x31, depth: depth + 1)
            if isSet, let previous, bytes[child.whole].lexicographicallyPrecedes(bytes[previous.whole]) {
                throw CheckFailure("the BER has a SET that is not in DER's order, at byte \(start)")
            }
            previous = child
            position = child.end
        }
    }
}

/// The identifier and the length of an element of BER (ITU-T X.690, 8.1.2 and 8.1.3), in the one form that is taken.
struct BERHeader {
    let tag: UInt8
    /// Where the content starts.
    let first: Int
    /// Where the content ends; nil where the length is indefinite.
    let last: Int?

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
