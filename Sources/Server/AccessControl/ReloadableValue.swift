import Synchronization

/// A value, such as a set of keys, that can be replaced while requests are under way. The next request uses the
/// new value.
public final class ReloadableValue<Value: Sendable>: Sendable {
    private let present: Mutex<Value>

    public init(_ value: Value) {
        present = Mutex(value)
    }

    public var value: Value { present.withLock { $0 } }

    /// Replaces the value for all later requests.
    public func replace(with value: Value) {
        present.withLock { $0 = value }
    }
}
