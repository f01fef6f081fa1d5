import Synchronization

/// A limited number of slots, such as for requests that are answered at once. A task takes a slot if one is free (``take(_:)``), or waits for one,
/// first come, first served (``enter(as:)``).
///
/// ```swift
/// guard await slots.enter(as: client) else { throw overloaded }
/// defer { slots.leave() }
/// ```
public final class Slots<Holder: Hashable & Sendable>: Sendable {
    /// A holder that a slot counts for. A slot may count for several holders: a phone, all phones of its shop, the shop.
    public struct Share: Sendable {
        public enum Limit: Sendable {
            case atMost(Int)
            /// While the holder has fewer slots than so many sixteenths of those that are free (dynamic thresholds for shared buffers,
            /// Choudhury and Hahne 1998). So one holder leaves some free, and so do many greedy ones together: `limit / (1 + n * weight)`. A
            /// holder without a slot gets one while any is free.
            case sixteenthsOfFree(Int)
        }

        let holder: Holder
        let limit: Limit

        public init(holder: Holder, limit: Limit) {
            self.holder = holder
            self.limit = limit
        }
    }

    /// A slot that was taken. It is free again with its last reference.
    public final class Slot: Sendable {
        private let slots: Slots
        private let shares: [Share]

        fileprivate init(of slots: Slots, _ shares: [Share]) {
            self.slots = slots
            self.shares = shares
        }

        deinit { slots.leave(shares) }
    }

    let table: Mutex<SlotTable<Holder, CheckedContinuation<Bool, Never>>>
    private let patience: Duration?
    private let sleep: @Sendable (Duration) async throws -> Void

    /// - Parameters:
    ///   - waitersAtMost: how many tasks may wait, in all and of one holder.
    ///   - patience: how long a task waits; `nil` for as long as it takes.
    public init(
        limit: Int, waitersAtMost: (inAll: Int, ofOne: Int) = (0, 0), patience: Duration? = nil,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        table = Mutex(SlotTable(limit: limit, waitersAtMost: waitersAtMost))
        self.patience = patience
        self.sleep = sleep
    }

    /// Whether a slot could be taken now. For refusing before a body is read.
    public func hasRoom(for shares: [Share] = []) -> Bool { table.withLock { $0.hasRoom(for: shares) } }

    /// Takes a slot without waiting.
    ///
    /// - Returns: `nil` if none is free for these holders.
    public func take(_ shares: [Share] = []) -> Slot? {
        table.withLock { $0.take(shares) } ? Slot(of: self, shares) : nil
    }

    /// Waits for a slot.
    ///
    /// - Parameter holder: whom the task is for. One holder's tasks have a limit of their own among those that wait.
    /// - Returns: false if too many wait, or no slot came free in time. After true, ``leave()`` must be called.
    public func enter(as holder: Holder? = nil) async -> Bool {
        await withCheckedContinuation { continuation in
            switch table.withLock({ $0.enter(continuation, as: holder) }) {
            case .entered: continuation.resume(returning: true)
            case .full: continuation.resume(returning: false)
            case .waiting(let ticket):
                guard let patience else { return }
                Task {
                    try? await sleep(patience)
                    giveUp(ticket)
                }
            }
        }
    }

    public func leave() { leave([]) }

    fileprivate func leave(_ shares: [Share]) {
        table.withLock { $0.leave(shares) }?.resume(returning: true)
    }

    /// Changes how many slots there are. Slots that are taken stay taken.
    public func change(limit: Int) {
        let entering = table.withLock { $0.change(limit: limit) }
        for continuation in entering { continuation.resume(returning: true) }
    }

    private func giveUp(_ ticket: UInt64) {
        table.withLock { $0.giveUp(ticket) }?.resume(returning: false)
    }
}
