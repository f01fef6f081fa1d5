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
    /// - Throws: ``CheckFailure`` where a length is not minimal or leads beyond `limit`, a tag is not of one byte, a
    ///   constructed bit is wrong, or the nesting is too deep.
    init(in bytes: [UInt8], at start: Int, limit: Int, depth: Int = 0) throws(CheckFailure) {
        guard depth < Self.depthLimit else { throw CheckFailure("the BER nests deeper than \(Self.depthLimit) levels") }
        let header = try BERHeader(in: bytes, at: start, limit: limit)
        tag = header.tag
        var position = header.first
        if header.isConstructed {
            let last = header.last ?? limit
            while position < last, !(header.last == nil && bytes[position] == 0) {
                position = try BERElement(in: bytes, at: position, limit: last, depth: depth + 1).end
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
            let child = try BERElement(in: bytes, at: position, limit: content.upperBound)
            children.append(child)
            position = child.end
        }
        return children
    }
}
