import Synchronization

/// R15: works off what the journal has due, with a bounded number of workers. The reconciler and the delivery of events
/// both run on it; no other loop leases anything.
///
/// Whenever a worker is free, the next due item is leased for it. So an item that hangs occupies one worker and delays
/// no other, and no lease runs while its item waits: what is leased is begun at once.
struct LeasedWorkers<Item: Sendable>: Sendable {
    /// How many items are worked on at once: asked anew each time, because instances share limits.
    let count: @Sendable () -> Int
    /// How often the journal is looked at while nothing is known to be due, and after it failed.
    var interval = Duration.seconds(1)
    /// Leases up to that many items.
    let lease: @Sendable (_ limit: Int) async throws(JournalError) -> [Item]
    /// Works on one item. It is cancelled when the workers are stopped, and awaited.
    ///
    /// - Returns: whether more may be due now because of it.
    let work: @Sendable (Item) async -> Bool
    /// Called where nothing could be leased.
    let fail: @Sendable (JournalError) -> Void

    /// Works until its task is cancelled, and returns once what was begun has ended.
    func run() async {
        await work(lookingEvery: interval)
    }

    /// Works until nothing is due and nothing is under way.
    func workOff() async {
        await work(lookingEvery: nil)
    }

    private func work(lookingEvery interval: Duration?) async {
        let roster = Roster(workers: count)
        await withDiscardingTaskGroup { group in
            if let interval {
                group.addTask {
                    while (try? await Task.sleep(for: interval)) != nil { roster.look() }
                }
            }
            for await _ in roster.changes {
                while !Task.isCancelled, let limit = roster.takeTurn() {
                    let leased: [Item]
                    do throws(JournalError) {
                        leased = try await lease(limit)
                    } catch {
                        roster.leaseFailed()
                        fail(error)
                        break
                    }
                    roster.begin(leased.count, of: limit)
                    for item in leased {
                        group.addTask { roster.end(moreIsDue: await work(item)) }
                    }
                }
                if interval == nil, roster.isDone { break }
            }
            group.cancelAll()
        }
    }
}

/// How many workers are busy, and whether the journal is to be looked at.
private final class Roster: Sendable {
    private enum Outlook {
        /// Something may be due.
        case due
        /// Nothing was due when it was last looked for.
        case nothing
        /// The journal failed, and is left alone until it is time to look again.
        case failed
    }

    private struct State {
        var busy = 0
        var outlook = Outlook.due
    }

    /// Gives an element whenever something changed; changes that come close together are one.
    let changes: AsyncStream<Void>
    private let change: AsyncStream<Void>.Continuation
    private let workers: @Sendable () -> Int
    private let state = Mutex(State())

    init(workers: @escaping @Sendable () -> Int) {
        self.workers = workers
        (changes, change) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        change.yield()
    }

    /// How many items may be leased now; nil where there is no worker free, or nothing to lease.
    func takeTurn() -> Int? {
        state.withLock { state in
            let free = workers() - state.busy
            guard state.outlook == .due, free > 0 else { return nil }
            // What becomes due while the journal answers sets it again.
            state.outlook = .nothing
            return free
        }
    }

    func begin(_ leased: Int, of limit: Int) {
        state.withLock { state in
            state.busy += leased
            if leased >= limit { state.outlook = .due }
        }
    }

    func leaseFailed() {
        state.withLock { $0.outlook = .failed }
    }

    func end(moreIsDue: Bool) {
        state.withLock { state in
            state.busy -= 1
            if moreIsDue, state.outlook == .nothing { state.outlook = .due }
        }
        change.yield()
    }

    func look() {
        state.withLock { $0.outlook = .due }
        change.yield()
    }

    /// Whether nothing is under way, and nothing more is to be leased now.
    var isDone: Bool { state.withLock { $0.busy == 0 && $0.outlook != .due } }
}
