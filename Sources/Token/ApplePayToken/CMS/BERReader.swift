/// Reads BER (ITU-T X.690, 8.1) from its first byte to its last, one element after another.
///
/// One form is taken of each element: what one payment looks like must not be its sender's choice. It cannot loop or recurse by what it
/// reads: the caller says which element comes next.
struct BERReader {
    private let bytes: [UInt8]
    private(set) var position = 0
    /// Where the element that is read ends, or at most ends.
    private var limit: Int
    /// Whether two zero bytes end the element that is read.
    private var isIndefinite = false

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        limit = bytes.count
    }

    /// The tag of the next element; nil where the element that is read has no more.
    var nextTag: UInt8? {
        guard position < limit, !isIndefinite || bytes[position] != 0 else { return nil }
        return bytes[position]
    }

    /// Reads what is within the next element, to its end.
    ///
    /// - Parameters:
    ///   - what: for people.
    ///   - isDER: whether the length must be definite.
    /// - Throws: ``CheckFailure`` where the tag is another one, or something is left.
    mutating func within<Value>(
        _ tag: UInt8, _ what: StaticString, isDER: Bool = false,
        _ read: (inout BERReader) throws(CheckFailure) -> Value
    ) throws(CheckFailure) -> Value {
        try expect(tag, what)
        let header = try BERHeader(in: bytes, at: position, limit: limit)
        guard !isDER || header.last != nil else { throw CheckFailure("\(what) is not in DER") }
        let outer = (limit, isIndefinite)
        position = header.first
        limit = header.last ?? limit
        isIndefinite = header.last == nil
        let value = try read(&self)
        guard nextTag == nil else { throw CheckFailure("\(what) has a part that Apple's has not, at byte \(position)") }
        if isIndefinite {
            guard position + 2 <= limit, bytes[position + 1] == 0 else {
                throw CheckFailure("the BER lacks the end of an element, at byte \(position)")
            }
            position += 2
        }
        (limit, isIndefinite) = outer
        return value
    }

    /// Reads the next element as a whole, which must have a definite length.
    mutating func element(_ tag: UInt8, _ what: StaticString) throws(CheckFailure) -> BERElement {
        try expect(tag, what)
        let element = try BERElement(in: bytes, at: position, limit: limit)
        position = element.end
        return element
    }

    private func expect(_ tag: UInt8, _ what: StaticString) throws(CheckFailure) {
        guard nextTag == tag else { throw CheckFailure("\(what) is not where it must be, at byte \(position)") }
    }
}
