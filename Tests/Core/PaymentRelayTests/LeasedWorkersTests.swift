import JournalContract
import Synchronization
import TestPrograms
import Testing

@testable import PaymentRelay

/// An item that hangs delays no other item, an item that would have to wait is not leased, and a failing journal gets a pause.
@Suite(.timeLimit(.minutes(25))) struct LeasedWorkersTests {
    @Test("R15: an item that hangs occupies one worker and delays no other") func delaysNoOtherItemWhenOneHangs() async
    {
        let (source, gate) = (Source(0..<100), Gate())
        let working = Task {
            await source.workers(4) { item in
                if item == 0 { await gate.wait() }
                return false
            }.workOff()
        }
        while source.done.count < 99 { await Task.yield() }
        #expect(!source.done.contains(0))
        gate.open()
        await working.value
        #expect(source.done.count == 100)
    }

    @Test func leasesNoMoreThanItCanBegin() async {
        let source = Source(0..<200)
        let most = Mutex(0)
        let underWay = Mutex(0)
        await source.workers(7) { _ in
            let now = underWay.withLock {
                $0 += 1
                return $0
            }
            most.withLock { $0 = max($0, now) }
            for _ in 0..<3 { await Task.yield() }
            underWay.withLock { $0 -= 1 }
            return false
        }.workOff()
        #expect(most.withLock { $0 } == 7)
        #expect(source.done.count == 200)
        #expect(source.leasedAndNotDone.allSatisfy { $0 <= 7 })
    }

    @Test("R15: the number of items that an instance works on shrinks with its share of the limits")
    func keepsToTheShareOfTheMoment() async {
        let source = Source(0..<10)
        let share = Mutex(2)
        await source.workers(share.withLock { $0 }) { _ in
            share.withLock { $0 = 1 }
            return false
        }.workOff()
        #expect(source.done.count == 10)
        #expect(source.leasedAndNotDone.first == 2 && source.leasedAndNotDone.dropFirst().allSatisfy { $0 <= 1 })
    }

    @Test func leasesAtOnceWhatAnItemMadeDue() async {
        let source = Source(0..<1)
        await source.workers(2) { item in
            guard item < 20 else { return false }
            source.add(item + 1)
            return true
        }.workOff()
        #expect(source.done == Array(0...20))
    }

    @Test("R15: an item that becomes due is found while another item hangs") func findsWhatBecomesDueWhileAnItemHangs()
        async
    {
        let (source, gate) = (Source(0..<1), Gate())
        let working = Task {
            await source.workers(2, interval: .milliseconds(1)) { item in
                if item == 0 { await gate.wait() }
                return false
            }.run()
        }
        while source.leases < 1 { await Task.yield() }
        source.add(1)
        while source.done != [1] { await Task.yield() }
        working.cancel()
        gate.open()
        await working.value
        #expect(source.done == [1, 0])
    }

    @Test func leavesAFailedJournalAloneForTheInterval() async {
        let (source, gate) = (Source(0..<3), Gate())
        let failures = Mutex(0)
        let workers = LeasedWorkers(
            count: { 5 }, interval: .seconds(3_600),
            lease: { limit async throws(JournalError) in
                if source.leases == 1 { throw .unavailable(reason: "failed") }
                return source.lease(3)
            },
            work: { item in
                await gate.wait()
                source.end(item)
                return true
            }, fail: { _ in failures.withLock { $0 += 1 } })
        // After a full lease the next lease follows at once, and fails.
        let full = LeasedWorkers(
            count: { 5 }, interval: workers.interval,
            lease: { limit async throws(JournalError) in try await workers.lease(limit) + [9, 9] },
            work: workers.work, fail: workers.fail)
        let working = Task { await full.run() }
        while source.leases < 1 { await Task.yield() }
        gate.open()
        while source.done.count < 5 || failures.withLock({ $0 }) == 0 { await Task.yield() }
        for _ in 0..<1_000 { await Task.yield() }
        #expect(failures.withLock { $0 } == 1)
        working.cancel()
        await working.value
    }

    @Test("R6: after a stop nothing is leased, and the stop waits for items that were begun")
    func stopsLeasingAndAwaitsWhatWasBegun() async {
        let (source, gate) = (Source(0..<10), Gate())
        let working = Task {
            await source.workers(2) { _ in
                await gate.wait()
                return true
            }.run()
        }
        while source.leases < 1 { await Task.yield() }
        working.cancel()
        gate.open()
        await working.value
        #expect(source.done.sorted() == [0, 1])
    }

}

/// Items that are due until they are leased.
private final class Source: Sendable {
    private struct State {
        var due: [Int]
        var done: [Int] = []
        var leased = 0
        var leases = 0
        var leasedAndNotDone: [Int] = []
    }

    private let state: Mutex<State>

    init(_ due: Range<Int>) {
        state = Mutex(State(due: Array(due)))
    }

    var done: [Int] { state.withLock { $0.done } }
    /// The number of leases so far.
    var leases: Int { state.withLock { $0.leases } }
    /// The number of items that were leased and not done, after each lease.
    var leasedAndNotDone: [Int] { state.withLock { $0.leasedAndNotDone } }

    func add(_ item: Int) {
        state.withLock { $0.due.append(item) }
    }

    func lease(_ limit: Int) -> [Int] {
        state.withLock { state in
            let leased = Array(state.due.prefix(limit))
            state.due.removeFirst(leased.count)
            state.leased += leased.count
            if !leased.isEmpty { state.leases += 1 }
            state.leasedAndNotDone.append(state.leased - state.done.count)
            return leased
        }
    }

    func end(_ item: Int) {
        state.withLock { $0.done.append(item) }
    }

    func workers(
        _ count: @autoclosure @escaping @Sendable () -> Int, interval: Duration = .seconds(3_600),
        _ work: @escaping @Sendable (Int) async -> Bool
    ) -> LeasedWorkers<Int> {
        LeasedWorkers(
            count: count, interval: interval, lease: { self.lease($0) },
            work: { item in
                let moreIsDue = await work(item)
                self.end(item)
                return moreIsDue
            }, fail: { _ in })
    }
}
