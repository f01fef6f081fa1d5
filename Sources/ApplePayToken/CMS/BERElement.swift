/// An element of BER (ITU-T X.690, 8.1) and where its content lies.
///
/// OpenSSL reads more than the standard allows, such as a SEQUENCE without its constructed bit, and none of that is
/// signed. What one payment looks like must not be the sender's choice, so the form is checked before OpenSSL reads.
struct BERElement {
    let tag: UInt8
    /// The content, without the end-of-contents octets of an indefinite length.
    let content: Range<Int>
    /// Where the next element starts.
    let end: Int

    /// Apple's deepest element, in a certificate's name, is the tenth level.
    private static let depthLimit = 24

    /// Reads one element, and the form of everything within it.
    ///
    /// - Throws: ``Refusal`` where a length is not minimal or leads beyond `limit`, a tag is not of one byte, a
    ///   constructed bit is wrong, or the nesting is too deep.
    init(in bytes: [UInt8], at start: Int, limit: Int, depth: Int = 0) throws(Refusal) {
        guard start + 2 <= limit else { throw Refusal("the BER ends within an element, at byte \(start)") }
        guard depth < Self.depthLimit else { throw Refusal("the BER nests deeper than \(Self.depthLimit) levels") }
        tag = bytes[start]
        let isConstructed = tag & 0x20 != 0
        // In a CMS message SEQUENCE, SET and everything that is not of the universal class are constructed.
        let mustBeConstructed = tag & 0xC0 != 0 || tag & 0x1F == 0x10 || tag & 0x1F == 0x11
        guard tag != 0, tag & 0x1F != 0x1F, isConstructed == mustBeConstructed else {
            throw Refusal("the BER has no valid tag at byte \(start)")
        }

        let isIndefinite = bytes[start + 1] == 0x80
        guard isConstructed || !isIndefinite else { throw Refusal("the BER has no valid length at byte \(start + 1)") }
        let length = isIndefinite ? nil : try Self.length(in: bytes, at: start + 1, limit: limit)
        let first = length?.lowerBound ?? start + 2
        var position = first
        if isConstructed {
            let last = length?.upperBound ?? limit
            while position < last, !(isIndefinite && bytes[position] == 0) {
                position = try BERElement(in: bytes, at: position, limit: last, depth: depth + 1).end
            }
        }
        content = length ?? first..<position
        if isIndefinite {
            guard position + 2 <= limit, bytes[position + 1] == 0 else {
                throw Refusal("the BER lacks the end of an element, at byte \(position)")
            }
            end = position + 2
        } else {
            end = content.upperBound
        }
    }

    /// The range of the content by a definite length.
    private static func length(in bytes: [UInt8], at place: Int, limit: Int) throws(Refusal) -> Range<Int> {
        var length = Int(bytes[place])
        var first = place + 1
        if length > 0x80 {
            let count = length & 0x7F
            guard count <= 3, first + count <= limit else {
                throw Refusal("the BER has no valid length at byte \(place)")
            }
            length = 0
            for digit in 0..<count { length = length << 8 | Int(bytes[first + digit]) }
            first += count
            guard length >= 0x80, count == 1 || length >> (8 * (count - 1)) > 0 else {
                throw Refusal("the BER has a length that is not minimal, at byte \(place)")
            }
        }
        guard length <= limit - first else { throw Refusal("the BER ends within an element, at byte \(place - 1)") }
        return first..<(first + length)
    }

    /// The elements directly within this one.
    func children(in bytes: [UInt8]) throws(Refusal) -> [BERElement] {
        var children: [BERElement] = []
        var position = content.lowerBound
        while position < content.upperBound {
            let child = try BERElement(in: bytes, at: position, limit: content.upperBound)
            children.append(child)
            position = child.end
        }
        return children
    }
}
