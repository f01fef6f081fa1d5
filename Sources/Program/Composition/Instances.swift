import FoundationEssentials
import Logging
import PaymentRelay
import ServiceLifecycle
import Synchronization

/// A service that announces this instance to the other instances on the journal, and divides the limits of the
/// merchant as a whole among the live instances.
///
/// - An instance that ends without notice is counted for 15 more seconds.
/// - While the journal cannot be read, the last number stays in use; nothing is charged in that time.
/// - For the same time after such a failure, the number may only grow, because the other instances could not
///   announce themselves either.
final class Instances: Service {
    /// The time between two announcements.
    static let interval = Duration.seconds(5)
    /// The number of beats without an announcement after which an instance is no longer counted.
    private static let silence = 3

    private let register: any InstanceRegister
    private let logger: Logger
    private let now: @Sendable () -> Date
    private let name = UUID().uuidString
    private let state = Mutex((alive: 1, beatsSinceFailure: Instances.silence))
    private let divide: @Sendable (_ instances: Int) -> Void

    /// - Parameter divide: called with the number of instances when it has changed.
    init(
        _ register: any InstanceRegister, logger: Logger, now: @escaping @Sendable () -> Date = { Date() },
        divide: @escaping @Sendable (_ instances: Int) -> Void
    ) {
        self.register = register
        self.logger = logger
        self.now = now
        self.divide = divide
    }

    /// The number of live instances, including this one.
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

    /// Announces this instance once, and counts the live instances.
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
