import FoundationEssentials
import PayrelayPrimitives
import Synchronization

extension PaymentRelay {
    /// Finds payments. Few searches run at once, over all clients, so that they take little from payments.
    ///
    /// - Throws: ``JournalError/overloaded(reason:)`` where too many searches wait.
    public func search(_ query: PaymentQuery) async throws(JournalError) -> PaymentPage {
        var query = query
        query.overdueBefore = now() - policy.overdueAfter
        guard await searches.enter(as: query.visibleTo) else {
            throw .overloaded(reason: "too many searches are under way")
        }
        defer { searches.leave() }
        return try await journal.search(query)
    }
}

/// The concurrency limit of searches: some run, some wait for a place, and no asker has more than its share of those that wait.
final class SearchLimit: Sendable {
    private struct Waiting {
        let asker: String?
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var running = 0
        var waiting: [Waiting] = []
    }

    private let atOnce: Int
    private let waitingAtMost: Int
    private let state = Mutex(State())

    init(atOnce: Int, waitingAtMost: Int = 64) {
        self.atOnce = atOnce
        self.waitingAtMost = waitingAtMost
    }

    /// Waits for a place.
    ///
    /// - Returns: false where there is no room to wait. Otherwise the place is to be given back with ``leave()``.
    func enter(as visibility: PaymentQuery.Visibility) async -> Bool {
        let asker: String? = if case .payments(let visible) = visibility { visible.client } else { nil }
        var isRefused = false
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let goesOn = state.withLock { state in
                if state.running < atOnce {
                    state.running += 1
                    return true
                }
                let own = state.waiting.count { $0.asker == asker }
                if state.waiting.count >= waitingAtMost || own >= waitingAtMost / 4 {
                    isRefused = true
                    return true
                }
                state.waiting.append(Waiting(asker: asker, continuation: continuation))
                return false
            }
            if goesOn { continuation.resume() }
        }
        return !isRefused
    }

    func leave() {
        let next = state.withLock { state -> Waiting? in
            if state.waiting.isEmpty {
                state.running -= 1
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.continuation.resume()
    }
}
