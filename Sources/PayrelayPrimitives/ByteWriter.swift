/// Bytes that are written one after another and then taken as a whole.
///
/// It cannot be copied, so that nobody else has its memory. An array checks that with each piece that is added, and a message to
/// FORT has a hundred.
package struct ByteWriter: ~Copyable {
    private var memory: UnsafeMutableRawPointer
    private var capacity: Int
    package private(set) var count = 0

    /// - Parameter capacity: how many bytes have room before it grows.
    package init(capacity: Int) {
        self.capacity = max(16, capacity)
        memory = .allocate(byteCount: self.capacity, alignment: 1)
    }

    deinit { memory.deallocate() }

    package mutating func append(_ byte: UInt8) {
        if count == capacity { grow(for: 1) }
        memory.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
        count += 1
    }

    package mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        // Without an address there is nothing.
        guard let start = bytes.baseAddress else { return }
        if bytes.count > capacity - count { grow(for: bytes.count) }
        (memory + count).copyMemory(from: start, byteCount: bytes.count)
        count += bytes.count
    }

    /// Appends a text in UTF-8.
    package mutating func append(_ text: String) {
        text.withBytes { append($0) }
    }

    /// What was written, where it lies.
    package func withBytes<Value>(_ body: (UnsafeRawBufferPointer) throws -> Value) rethrows -> Value {
        try body(UnsafeRawBufferPointer(start: memory, count: count))
    }

    /// What was written.
    package var bytes: [UInt8] { withBytes { Array($0) } }

    private mutating func grow(for more: Int) {
        let capacity = max(2 * self.capacity, count + more)
        let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 1)
        larger.copyMemory(from: memory, byteCount: count)
        memory.deallocate()
        (memory, self.capacity) = (larger, capacity)
    }
}
