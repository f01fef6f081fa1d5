import FoundationEssentials
import Logging
import PaymentRelay
import ServiceLifecycle
import Synchronization

/// Tells the other instances on the journal that this one is alive, and divides what is the merchant's as a whole among those that are.
///
/// One that ends without a word counts for 15 seconds more. While the journal cannot be read the last number counts: nothing is charged
/// then. And for so many seconds afterwards, unless it is less: the others could not say that they are alive, either.
final class Instances: Service {
    /// How often an instance says that it is alive.
    static let interval = Duration.seconds(5)
    /// After how many beats an instance that says nothing does not count.
    private static let silence = 3

    private let register: any InstanceRegister
    private let logger: Logger
    private let now: @Sendable () -> Date
    private let name = UUID().uuidString
    private let state = Mutex((alive: 1, beatsSinceFailure: Instances.silence))
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
    var count: Int { state.withLock { $0.alive } }

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
            let (before, alive) = state.withLock { state in
                let before = state.alive
                state.alive = state.beatsSinceFailure < Self.silence ? max(before, counted) : counted
                state.beatsSinceFailure = min(state.beatsSinceFailure + 1, Self.silence)
                return (before, state.alive)
            }
            guard alive != before else { return }
            logger.notice("instances on this journal", metadata: ["alive": "\(alive)"])
            divide(alive)
        } catch {
            state.withLock { $0.beatsSinceFailure = 0 }
            logger.warning("instances cannot be counted", metadata: ["error": "\(error)"])
        }
    }
}
