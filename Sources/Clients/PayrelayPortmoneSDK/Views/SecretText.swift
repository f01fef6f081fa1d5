import Foundation
public import PayrelayPrimitives

/// A card's number or a code, in memory of its own that is overwritten when it is wiped or given up. It prints as `***`.
///
/// `@unchecked Sendable`: the memory is read and changed under the lock.
public final class SecretText: Redacted, @unchecked Sendable {
    /// A card's number has 19 digits at the most.
    private static let capacity = 32

    private let lock = NSLock()
    private let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: SecretText.capacity)
    private var length = 0
    private let isTooLong: Bool

    /// The text's UTF-8. Of one that is too long to be any of these secrets nothing is kept, and ``isDigits(_:)`` is false.
    public init(_ text: String) {
        let bytes = text.utf8
        isTooLong = bytes.count > Self.capacity
        memory.initialize(repeating: 0)
        guard !isTooLong else { return }
        for byte in bytes {
            memory[length] = byte
            length += 1
        }
    }

    deinit {
        wipe()
        memory.deallocate()
    }

    /// Whether there is no text, or no longer.
    public var isEmpty: Bool { lock.withLock { length == 0 } && !isTooLong }

    /// Lends the UTF-8. Search for this name to find every use.
    public func withExposed<Value>(_ body: (UnsafeBufferPointer<UInt8>) -> Value) -> Value {
        lock.withLock { body(UnsafeBufferPointer(rebasing: memory[..<length])) }
    }

    /// Whether it is so many ASCII digits.
    public func isDigits(_ count: ClosedRange<Int>) -> Bool {
        withExposed { bytes in count.contains(bytes.count) && bytes.allSatisfy(\.isASCIIDigit) }
    }

    /// Overwrites the text.
    public func wipe() {
        lock.withLock {
            // Not removed by an optimizer, as a loop before the end of the memory's life may be.
            #if canImport(Darwin)
            memset_s(memory.baseAddress, Self.capacity, 0, Self.capacity)
            #else
            if let start = memory.baseAddress { explicit_bzero(start, Self.capacity) }
            #endif
            length = 0
        }
    }

    public var description: String { "***" }
}
