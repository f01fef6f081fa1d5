import Synchronization

/// How many requests are being answered.
final class RequestsUnderWay: Sendable {
    private let number = Atomic(0)

    var count: Int { number.load(ordering: .relaxed) }

    func enter() { number.add(1, ordering: .relaxed) }

    func leave() { number.subtract(1, ordering: .relaxed) }
}
