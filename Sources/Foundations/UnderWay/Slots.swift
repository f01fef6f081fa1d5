import Synchronization

/// A limited number of slots, for example for requests that are answered at once. A task takes a slot if one is
/// free (``take(_:)``), or waits for one (``enter(as:)``). Waiting is first come, first served.
///
/// ```swift
/// guard await slots.enter(as: client) else { throw overloaded }
/// defer { slots.leave() }
/// ```
public final class Slots<Holder: Hashable & Sendable>: Sendable {
    /// A holder that a slot counts for. A slot may count for several holders, such as a phone, all phones of its
    /// shop, and the shop.
    public struct Share: Sendable {
        public enum Limit: Sendable {
            case atMost(Int)
            /// A dynamic limit (dynamic thresholds for shared buffers, Choudhury and Hahne 1998):
            ///
            /// - The holder may take a slot while it has fewer than this many sixteenths of the free slots.
            /// - So one holder leaves some slots free, and so do many greedy holders together: `limit / (1 + n *
            ///   weight)`.
            /// - A holder without a slot gets one as long as any is free.
            case sixteenthsOfFree(Int)
        }

        let holder: Holder
        let limit: Limit

        public init(holder: Holder, limit: Limit) {
            self.holder = holder
            self.limit = limit
        }
    }

    /// A slot that was taken. It is freed with its last reference.
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
    ///   - waitersAtMost: the maximum number of waiting tasks, in total and for one holder.
    ///   - patience: the maximum time that a task waits; `nil` for no limit.
    public init(
        limit: Int, waitersAtMost: (inAll: Int, ofOne: Int) = (0, 0), patience: Duration? = nil,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        table = Mutex(SlotTable(limit: limit, waitersAtMost: waitersAtMost))
        self.patience = patience
        self.sleep = sleep
    }

    /// Returns whether a slot could be taken now. Used to reject a request before its body is read.
    public func hasRoom(for shares: [Share] = []) -> Bool { table.withLock { $0.hasRoom(for: shares) } }

    /// Takes a slot without waiting.
    ///
    /// - Returns: the slot; `nil` if none is free for these holders.
    public func take(_ shares: [Share] = []) -> Slot? {
        table.withLock { $0.take(shares) } ? Slot(of: self, shares) : nil
    }

    /// Waits for a slot.
    ///
    /// - Parameter holder: the holder for whom the task waits. The number of waiting tasks is also limited for
    ///   each holder.
    /// - Returns: false if too many tasks wait, or if no slot became free in time. After true, ``leave()`` must
    ///   be called.
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

    /// Changes the number of slots. Slots that are taken stay taken.
    public func change(limit: Int) {
        let entering = table.withLock { $0.change(limit: limit) }
        for continuation in entering { continuation.resume(returning: true) }
    }

    private func giveUp(_ ticket: UInt64) {
        table.withLock { $0.giveUp(ticket) }?.resume(returning: false)
    }
}
