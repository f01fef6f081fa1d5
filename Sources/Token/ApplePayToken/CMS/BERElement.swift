/// An element of BER with a definite length (ITU-T X.690, 8.1), and the position of its content.
struct BERElement {
    let tag: UInt8
    /// The position of the element's first byte, its tag.
    let start: Int
    let content: Range<Int>

    /// The position after the element.
    var end: Int { content.upperBound }

    /// The range of the element, including its tag and its length.
    var whole: Range<Int> { start..<end }

    /// The maximum depth of nested elements. Apple's deepest element, in a certificate's name, is at the tenth
    /// level.
    private static let depthLimit = 24

    /// Reads the header of one element, but not its content.
    ///
    /// - Throws: ``CheckFailure`` if the header is not in the one accepted form (``BERHeader``), or if the length
    ///   is indefinite.
    init(in bytes: [UInt8], at start: Int, limit: Int) throws(CheckFailure) {
        let header = try BERHeader(in: bytes, at: start, limit: limit)
        guard let last = header.last else {
            throw CheckFailure("the BER has an indefinite length where DER must be, at byte \(start)")
        }
        tag = header.tag
        self.start = start
        content = header.first..<last
    }

    /// Checks that everything within the element is in DER (ITU-T X.690, 10 and 11).
    ///
    /// - Parameter isSet: whether the element is a SET whose tag was replaced.
    /// - Throws: ``CheckFailure`` if a length is indefinite, if a SET is not in order, or if a value also has
    ///   another encoding.
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

/// The identifier and the length of an element of BER (ITU-T X.690, 8.1.2 and 8.1.3), in the one form that is
/// accepted.
struct BERHeader {
    let tag: UInt8
    /// The position of the content's first byte.
    let first: Int
    /// The position after the content; `nil` if the length is indefinite.
    let last: Int?

    /// Reads a header.
    ///
    /// - Throws: ``CheckFailure`` if a length is not minimal or leads beyond `limit`, if a tag has more than one
    ///   byte, or if a constructed bit is wrong.
    init(in bytes: [UInt8], at start: Int, limit: Int) throws(CheckFailure) {
        guard start + 2 <= limit else { throw CheckFailure("the BER ends within an element, at byte \(start)") }
        tag = bytes[start]
        let isConstructed = tag & 0x20 != 0
        // In a CMS message, SEQUENCE, SET and every element outside the universal class are constructed.
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

    /// Returns the range of the content, from a definite length.
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
