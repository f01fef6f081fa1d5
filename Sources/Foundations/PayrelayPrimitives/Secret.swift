/// A value that shows only its `description` wherever it is printed: in interpolation, `debugPrint`, `dump`, a
/// log or a failed test. Types that hold a secret or a customer's data conform to it.
public protocol Redacted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension Redacted {
    public var debugDescription: String { description }

    /// A mirror without children, so that `dump` cannot reach what `description` hides.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}

/// A text that must not be printed, such as a phrase, a key, or a database URL with a password. It is printed as
/// `***`.
public struct Secret: Sendable, Equatable, Redacted {
    /// The text itself. Search for this name to find every use.
    public let exposed: String

    public init(_ text: String) {
        exposed = text
    }

    public var isEmpty: Bool { exposed.isEmpty }

    public var description: String { "***" }

    /// Compares in a time that depends on the lengths, but not on where the texts differ.
    public static func == (one: Secret, other: Secret) -> Bool {
        equalInConstantTime(Array(one.exposed.utf8), Array(other.exposed.utf8))
    }
}

/// Compares every byte, wherever the first difference is. Arrays of different lengths are unequal immediately.
public func equalInConstantTime(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    guard one.count == other.count else { return false }
    var difference: UInt8 = 0
    for (byte, counterpart) in zip(one, other) { difference |= byte ^ counterpart }
    return difference == 0
}
