/// A value that shows its `description` and no more wherever it is printed: in interpolation, `debugPrint`, `dump`, a log,
/// a failed test. What holds a secret or a customer's data conforms.
public protocol Redacted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension Redacted {
    public var debugDescription: String { description }

    /// Without children, so that `dump` does not reach what `description` keeps back.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
