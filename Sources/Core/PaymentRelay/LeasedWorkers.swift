import Synchronization

/// R15: works off the journal's due items with a bounded number of workers. The reconciler and the delivery of
/// events both use it; no other loop leases anything.
///
/// Whenever a worker is free, it leases the next due item. So an item that hangs occupies one worker and does not
/// delay other items. No lease runs while its item waits, because work on a leased item begins at once.
struct LeasedWorkers<Item: Sendable>: Sendable {
    /// Returns how many items are worked on at once. It is called anew each time, because instances share limits.
    let count: @Sendable () -> Int
    /// How often to look into the journal while nothing is known to be due, or after the journal failed.
    var interval = Duration.seconds(1)
    /// Leases at most that many items.
    let lease: @Sendable (_ limit: Int) async throws(JournalError) -> [Item]
    /// Works on one item. When the workers are stopped, this task is cancelled and awaited.
    ///
    /// - Returns: whether the work may have made more items due.
    let work: @Sendable (Item) async -> Bool
    /// Called if leasing failed.
    let fail: @Sendable (JournalError) -> Void

    /// Works until the current task is cancelled, and returns once all work under way has ended.
    func run() async {
        await work(lookingEvery: interval)
    }

    /// Works until no item is due and no work is under way.
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

/// How many workers are busy, and whether to look into the journal.
private final class Roster: Sendable {
    private enum Outlook {
        /// Something may be due.
        case due
        /// Nothing was due when the journal was last read.
        case nothing
        /// The journal failed, and is not read until the next interval.
        case failed
    }

    private struct State {
        var busy = 0
        var outlook = Outlook.due
    }

    /// Yields an element after each change. Changes that come close together yield one element.
    let changes: AsyncStream<Void>
    private let change: AsyncStream<Void>.Continuation
    private let workers: @Sendable () -> Int
    private let state = Mutex(State())

    init(workers: @escaping @Sendable () -> Int) {
        self.workers = workers
        (changes, change) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        change.yield()
    }

    /// Returns how many items may be leased now; `nil` if no worker is free, or nothing is known to be due.
    func takeTurn() -> Int? {
        state.withLock { state in
            let free = workers() - state.busy
            guard state.outlook == .due, free > 0 else { return nil }
            // An item that becomes due while the journal answers sets the state to `due` again.
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
