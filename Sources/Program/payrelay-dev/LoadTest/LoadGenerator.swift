import OutboundHTTP
import PayrelayPrimitives
import Synchronization

/// Sends prepared payments on a schedule and records how each of them ends.
struct LoadGenerator: Sendable {
    /// The URL to which payments are posted.
    private let url: String
    private let headers: [(name: String, value: String)]
    private let client: OutboundClient
    /// The maximum number of payments in flight, which is also the limit on connections.
    private let connections: Int
    /// The time after which a payment counts as unanswered.
    private let timeout: Duration

    /// - Parameters:
    ///   - target: the relay's address, such as `http://127.0.0.1:8080`.
    ///   - client: a client that allows at least as many requests in flight as there are connections.
    ///   - headers: header fields that are sent with each payment, in addition to its media type.
    init(
        target: String, client: OutboundClient, connections: Int, timeout: Duration = .seconds(60),
        headers: [(name: String, value: String)] = []
    ) {
        url = target + "/v1/payments"
        self.headers = [(name: "Content-Type", value: "application/json")] + headers
        self.client = client
        self.connections = connections
        self.timeout = timeout
    }

    /// Runs the whole schedule and waits for the last response. If the task is cancelled, requests in flight are
    /// abandoned.
    ///
    /// - Parameters:
    ///   - payments: one payment for each arrival of the schedule.
    ///   - turns: the number of gateways that the payments go to, in turn.
    ///   - onProgress: called about once a second.
    func run(
        _ payments: CannedPayments, on schedule: ArrivalSchedule, turns: Int = 1,
        onProgress: @escaping @Sendable (LoadRecording) -> Void = { _ in }
    ) async -> LoadRecording {
        precondition(payments.count >= schedule.count, "each payment has a token of its own")
        let run = Run(generator: self, payments: payments, schedule: schedule, turns: turns)
        await withTaskGroup { group in
            group.addTask { await run.sendAll() }
            group.addTask {
                while (try? await Task.sleep(for: .seconds(1))) != nil { onProgress(run.recording) }
            }
            await group.next()
            group.cancelAll()
        }
        return run.recording
    }

    fileprivate func send(_ body: [UInt8]) async -> Outcome<OutboundAnswer> {
        await client.send(OutboundRequest(url: url, headers: headers, body: body, timeout: timeout))
    }

    /// A run and its clock.
    private final class Run: Sendable {
        let generator: LoadGenerator
        let payments: CannedPayments
        let schedule: ArrivalSchedule
        let start = ContinuousClock.now
        private let state: Mutex<LoadRecording>

        init(generator: LoadGenerator, payments: CannedPayments, schedule: ArrivalSchedule, turns: Int) {
            self.generator = generator
            self.payments = payments
            self.schedule = schedule
            state = Mutex(LoadRecording(schedule, turns: turns))
        }

        var recording: LoadRecording { state.withLock { $0 } }

        private var elapsed: Duration { start.duration(to: .now) }

        func sendAll() async {
            var loop = OpenLoop(schedule, inFlightLimit: generator.connections)
            await withDiscardingTaskGroup { group in
                while !Task.isCancelled {
                    let inFlight = state.withLock { $0.inFlight }
                    switch loop.step(at: elapsed, inFlight: inFlight) {
                    case .send(let number):
                        state.withLock { $0.begin() }
                        group.addTask { await self.send(number) }
                    case .leaveOut(let number): state.withLock { $0.leaveOut(number) }
                    case .wait(let moment):
                        try? await Task.sleep(until: start + moment, tolerance: .zero, clock: .continuous)
                    case .done: return
                    }
                }
            }
        }

        private func send(_ number: Int) async {
            let sent = elapsed
            let outcome: Outcome<OutboundAnswer>
            do throws(SpoolError) {
                outcome = await generator.send(try payments.body(number))
            } catch {
                outcome = .notSent(reason: error.description)
            }
            let ended = elapsed
            let verdict = PaymentVerdict(outcome, to: payments.references[number])
            state.withLock { $0.end(number, sent: sent, ended: ended, verdict) }
        }
    }
}
