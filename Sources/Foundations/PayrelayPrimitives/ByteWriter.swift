/// Bytes that are written one after another and then taken as a whole.
package struct ByteWriter: ~Copyable {
    /// The bytes written so far.
    package private(set) var bytes: [UInt8] = []

    /// - Parameter capacity: how many bytes have room before it grows.
    package init(capacity: Int) {
        bytes.reserveCapacity(capacity)
    }

    package var count: Int { bytes.count }

    package mutating func append(_ byte: UInt8) { bytes.append(byte) }

    package mutating func append(_ more: UnsafeBufferPointer<UInt8>) { bytes.append(contentsOf: more) }

    /// Appends a text in UTF-8.
    package mutating func append(_ text: String) {
        text.withBytes { append($0) }
    }

    /// Calls the body with the bytes written so far, without a copy.
    package func withBytes<Value>(_ body: (UnsafeRawBufferPointer) throws -> Value) rethrows -> Value {
        try bytes.withUnsafeBytes(body)
    }
}
