import Foundation
import PayrelayClient

/// A transport that answers requests by a test's script, one after the other. When the script is at its end, every request is
/// lost.
final class ScriptedTransport: RelayTransport, @unchecked Sendable {
    enum Step {
        case answer(Int, [UInt8], retryAfter: String? = nil)
        /// No connection is made.
        case refuse
        /// The connection breaks before the answer.
        case lose
        /// No answer arrives until the task is cancelled.
        case hang
    }

    let clock = SimulatedClock()
    // Changed under the lock.
    private let lock = NSLock()
    private var steps: ArraySlice<Step>
    private var sent: [TransportRequest] = []
    private let (hanging, hangs) = AsyncStream.makeStream(of: Void.self)

    init(_ steps: [Step]) { self.steps = steps[...] }

    var requests: [TransportRequest] { lock.withLock { sent } }

    /// Returns once a request gets no answer.
    func untilHanging() async { for await _ in hanging { return } }

    func send(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse {
        let step = lock.withLock {
            sent.append(request)
            return steps.popFirst() ?? .lose
        }
        switch step {
        case .answer(let status, let body, let retryAfter):
            return TransportResponse(status: status, retryAfter: retryAfter, body: body)
        case .refuse: throw .notSent("refused")
        case .lose: throw .lost("lost")
        case .hang:
            hangs.yield()
            while !Task.isCancelled { await Task.yield() }
            throw .lost("cancelled")
        }
    }
}
