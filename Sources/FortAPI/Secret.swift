/// A text that must not be seen, such as a phrase: it prints as `***`, and is read on purpose only.
public struct Secret: Sendable, Equatable, Redacted {
    /// The text itself. Every use is a place to look at.
    public let exposed: String

    public init(_ text: String) {
        exposed = text
    }

    public var isEmpty: Bool { exposed.isEmpty }

    public var description: String { "***" }

    /// In a time that tells the secrets' length, and nothing of where they differ.
    public static func == (one: Secret, other: Secret) -> Bool {
        equalInConstantTime(Array(one.exposed.utf8), Array(other.exposed.utf8))
    }
}

/// Compares every byte, wherever the first difference lies.
func equalInConstantTime(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    guard one.count == other.count else { return false }
    var difference: UInt8 = 0
    for (byte, counterpart) in zip(one, other) { difference |= byte ^ counterpart }
    return difference == 0
}
