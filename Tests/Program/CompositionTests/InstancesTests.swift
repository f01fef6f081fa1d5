import Foundation
import Logging
import PaymentRelay
import PayrelayPrimitives
import SQLJournal
import SQLiteDriver
import Synchronization
import Testing

@testable import Composition

/// Limits of the merchant as a whole are divided among the live instances.
@Suite struct InstancesTests {
    private let journal: SQLJournal
    private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    init() throws {
        journal = SQLJournal(try SQLiteDriver.inMemory())
    }

    @Test("Each instance takes its part, and that of one which has stopped or fallen silent")
    func partsFollowTheInstances() async throws {
        let parts = Mutex<[Int]>([])
        let now = Date()
        let instances = Instances(journal, logger: logger, now: { now }) { count in parts.withLock { $0.append(count) }
        }
        await instances.beat()
        #expect(instances.count == 1 && parts.withLock { $0 } == [])

        try await journal.note("stops", at: now)
        try await journal.note("falls silent", at: now - .seconds(14))
        await instances.beat()
        await instances.beat()
        #expect(parts.withLock { $0 } == [3])

        try await journal.forget("stops")
        await instances.beat()
        try await journal.note("falls silent", at: now - .seconds(16))
        await instances.beat()
        #expect(parts.withLock { $0 } == [3, 2, 1])
    }

    @Test("A journal that cannot be read changes no limit, and an instance whose clock is far ahead does not count")
    func failuresChangeNothing() async throws {
        struct Broken: InstanceRegister {
            func note(_ instance: String, at moment: Date) async throws(JournalError) {
                throw .unavailable(reason: "simulated")
            }
            func forget(_ instance: String) async throws(JournalError) {}
            func alive(at moment: Date) async throws(JournalError) -> Int { 7 }
        }
        let instances = Instances(Broken(), logger: logger) { _ in Issue.record("a limit changed") }
        await instances.beat()
        #expect(instances.count == 1)

        let now = Date()
        try await journal.note("fast", at: now + .seconds(14))
        try await journal.note("of the future", at: now + .seconds(16))
        #expect(try await journal.alive(at: now) == 1)
    }

    @Test("After an outage no instance takes the parts of others, until they had the time to say that they are alive")
    func anOutageIsNoSilence() async throws {
        final class Register: InstanceRegister {
            /// The number of live instances, or `nil` while the register cannot be read.
            let alive = Mutex<Int?>(3)

            func note(_ instance: String, at moment: Date) async throws(JournalError) {}
            func forget(_ instance: String) async throws(JournalError) {}
            func alive(at moment: Date) async throws(JournalError) -> Int {
                guard let alive = self.alive.withLock({ $0 }) else { throw .unavailable(reason: "simulated") }
                return alive
            }
        }
        let register = Register()
        let parts = Mutex<[Int]>([])
        let instances = Instances(register, logger: logger) { count in parts.withLock { $0.append(count) } }
        for alive in [3, nil, 1, 1, 1] {
            register.alive.withLock { $0 = alive }
            await instances.beat()
            #expect(instances.count == 3)
        }
        await instances.beat()
        for alive in [nil, 4] {
            register.alive.withLock { $0 = alive }
            await instances.beat()
        }
        #expect(parts.withLock { $0 } == [3, 1, 4])
    }

    @Test("Rows are forgotten after a day, so that they do not grow without bound")
    func silentOnesAreForgotten() async throws {
        let now = Date()
        let distant = [now - .seconds(90_000), now + .seconds(90_000)]
        for moment in distant {
            for number in 0..<50 { try await journal.note("\(number) \(moment)", at: moment) }
            #expect(try await journal.alive(at: moment) == 50)
        }
        try await journal.note("now", at: now)
        for moment in distant { #expect(try await journal.alive(at: moment) == 0) }
    }
}
