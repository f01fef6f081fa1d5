import Synchronization

/// A value that can be read again while requests are under way, such as keys: the next request is decided with the new one.
public final class ReloadableValue<Value: Sendable>: Sendable {
    private let present: Mutex<Value>

    public init(_ value: Value) {
        present = Mutex(value)
    }

    public var value: Value { present.withLock { $0 } }

    /// Uses another value from now on.
    public func replace(with value: Value) {
        present.withLock { $0 = value }
    }
}
