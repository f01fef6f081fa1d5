import Foundation
public import PayrelayPrimitives

/// A card's number or a code. Its memory is separate, and is overwritten when the text is wiped or released. It
/// is printed as `***`.
///
/// `@unchecked Sendable`: the memory is read and changed only under the lock.
public final class SecretText: Redacted, @unchecked Sendable {
    /// The maximum length in bytes. A card's number has at most 19 digits.
    private static let capacity = 32

    private let lock = NSLock()
    private let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: SecretText.capacity)
    private var length = 0
    private let isTooLong: Bool

    /// Stores the UTF-8 of a text. If the text is too long to be one of these secrets, nothing is stored, and
    /// ``isDigits(_:)`` returns false.
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

    /// Whether the text was empty or has been wiped.
    public var isEmpty: Bool { lock.withLock { length == 0 } && !isTooLong }

    /// Calls the body with the UTF-8 bytes. Search for this name to find every use.
    public func withExposed<Value>(_ body: (UnsafeBufferPointer<UInt8>) -> Value) -> Value {
        lock.withLock { body(UnsafeBufferPointer(rebasing: memory[..<length])) }
    }

    /// Returns whether the text consists of so many ASCII digits.
    public func isDigits(_ count: ClosedRange<Int>) -> Bool {
        withExposed { bytes in count.contains(bytes.count) && bytes.allSatisfy(\.isASCIIDigit) }
    }

    /// Overwrites the text.
    public func wipe() {
        lock.withLock {
            // The optimizer cannot remove these functions, unlike a loop just before the memory is freed.
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
