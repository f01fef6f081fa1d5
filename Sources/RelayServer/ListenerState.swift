import Synchronization

/// Whether the public listener takes connections yet. Operators can be heard before it does.
final class ListenerState: Sendable {
    private let hasBegun = Atomic(false)

    var isListening: Bool { hasBegun.load(ordering: .relaxed) }

    func begin() { hasBegun.store(true, ordering: .relaxed) }
}
