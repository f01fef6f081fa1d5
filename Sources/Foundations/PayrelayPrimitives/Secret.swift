/// A value that shows its `description` and no more wherever it is printed: in interpolation, `debugPrint`, `dump`, a log,
/// a failed test. What holds a secret or a customer's data conforms.
public protocol Redacted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension Redacted {
    public var debugDescription: String { description }

    /// Without children, so that `dump` does not reach what `description` keeps back.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}

/// A text that must not be printed, such as a phrase, a key or a database URL with a password: it prints as `***`.
public struct Secret: Sendable, Equatable, Redacted {
    /// The text itself. Search for this name to find every use.
    public let exposed: String

    public init(_ text: String) {
        exposed = text
    }

    public var isEmpty: Bool { exposed.isEmpty }

    public var description: String { "***" }

    /// In a time that depends on the lengths, and not on where the texts differ.
    public static func == (one: Secret, other: Secret) -> Bool {
        equalInConstantTime(Array(one.exposed.utf8), Array(other.exposed.utf8))
    }
}

/// Compares every byte, wherever the first difference lies. Different lengths differ at once.
public func equalInConstantTime(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    guard one.count == other.count else { return false }
    var difference: UInt8 = 0
    for (byte, counterpart) in zip(one, other) { difference |= byte ^ counterpart }
    return difference == 0
}
