/// A buffer to which bytes are appended, and which is then read as a whole.
package struct ByteWriter: ~Copyable {
    /// The memory, which is owned and freed by the writer. The first `count` bytes are written.
    private var memory: UnsafeMutableRawBufferPointer
    /// The number of bytes that were written.
    package private(set) var count = 0

    /// - Parameter capacity: the number of bytes that fit before the buffer grows.
    package init(capacity: Int) {
        memory = .allocate(byteCount: capacity, alignment: 1)
    }

    deinit { memory.deallocate() }

    /// A copy of the bytes that were written.
    package var bytes: [UInt8] { withBytes { Array($0) } }

    package mutating func append(_ byte: UInt8) {
        makeRoom(for: 1)
        memory[count] = byte
        count += 1
    }

    package mutating func append(_ more: UnsafeBufferPointer<UInt8>) {
        makeRoom(for: more.count)
        UnsafeMutableRawBufferPointer(rebasing: memory[count...]).copyMemory(from: UnsafeRawBufferPointer(more))
        count += more.count
    }

    /// Appends a text in UTF-8.
    package mutating func append(_ text: String) {
        text.withBytes { append($0) }
    }

    /// Calls the body with the bytes that were written, without copying them.
    package func withBytes<Value>(_ body: (UnsafeRawBufferPointer) throws -> Value) rethrows -> Value {
        try body(UnsafeRawBufferPointer(rebasing: memory[..<count]))
    }

    private mutating func makeRoom(for more: Int) {
        if memory.count - count < more { grow(by: more) }
    }

    private mutating func grow(by more: Int) {
        let capacity = max(2 * memory.count, count + more)
        let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: capacity, alignment: 1)
        larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[..<count]))
        memory.deallocate()
        memory = larger
    }
}
