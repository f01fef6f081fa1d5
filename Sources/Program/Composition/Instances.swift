import FoundationEssentials
import Logging
import PaymentRelay
import ServiceLifecycle
import Synchronization

/// Tells the other instances on the journal that this one is alive, and divides what is the merchant's as a whole among those that are.
///
/// One that ends without a word counts for 15 seconds more. While the journal cannot be read the last number counts: nothing is charged
/// then.
final class Instances: Service {
    /// How often an instance says that it is alive.
    static let interval = Duration.seconds(5)

    private let register: any InstanceRegister
    private let logger: Logger
    private let now: @Sendable () -> Date
    private let name = UUID().uuidString
    private let alive = Mutex(1)
    private let divide: @Sendable (_ instances: Int) -> Void

    /// - Parameter divide: called with the number of instances whenever it has changed.
    init(
        _ register: any InstanceRegister, logger: Logger, now: @escaping @Sendable () -> Date = { Date() },
        divide: @escaping @Sendable (_ instances: Int) -> Void
    ) {
        self.register = register
        self.logger = logger
        self.now = now
        self.divide = divide
    }

    /// How many are alive, this one among them.
    var count: Int { alive.withLock { $0 } }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while (try? await Task.sleep(for: Self.interval)) != nil { await self.beat() }
        }
        do throws(JournalError) {
            try await register.forget(name)
        } catch {
            logger.notice("the other instances count this one for some seconds more", metadata: ["error": "\(error)"])
        }
    }

    /// Says once that this one is alive, and counts.
    func beat() async {
        let now = now()
        do throws(JournalError) {
            try await register.note(name, at: now)
            let counted = max(1, try await register.alive(at: now))
            let before = alive.withLock { alive in
                defer { alive = counted }
                return alive
            }
            guard counted != before else { return }
            logger.notice("instances on this journal", metadata: ["alive": "\(counted)"])
            divide(counted)
        } catch {
            logger.warning("instances cannot be counted", metadata: ["error": "\(error)"])
        }
    }
}
