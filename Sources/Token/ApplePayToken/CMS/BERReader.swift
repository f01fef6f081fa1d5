/// Reads BER (ITU-T X.690, 8.1) from its first byte to its last, one element after another.
///
/// Each element is accepted in only one form, because the sender must not be able to write one payment in several
/// ways. The caller says which element comes next, so the input can cause neither endless loops nor deep
/// recursion.
struct BERReader {
    private let bytes: [UInt8]
    private(set) var position = 0
    /// The position at which the present element ends, or before which it must end.
    private var limit: Int
    /// Whether the present element has an indefinite length, and ends with two zero bytes.
    private var isIndefinite = false

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        limit = bytes.count
    }

    /// The tag of the next element; `nil` if the present element has no further element.
    var nextTag: UInt8? {
        guard position < limit, !isIndefinite || bytes[position] != 0 else { return nil }
        return bytes[position]
    }

    /// Reads the content of the next element, to its end.
    ///
    /// - Parameters:
    ///   - what: the element's name for error messages.
    ///   - isDER: whether the length must be definite.
    /// - Throws: ``CheckFailure`` if the tag is another one, or if a part of the content is not read.
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

    /// Reads the next element as a whole. The element must have a definite length.
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
