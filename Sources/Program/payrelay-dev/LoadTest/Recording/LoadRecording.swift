import Observability

/// The results of a run's payments, which are collected while it lasts.
struct LoadRecording: Sendable {
    let schedule: ArrivalSchedule
    /// The time from a payment's scheduled start to the end of its response, for all payments that were sent.
    private(set) var latency = LatencyHistogram()
    /// The same for the payments at each gateway. Gateways take turns: payment `n` goes to the gateway `n` modulo
    /// their number.
    private(set) var latencyByTurn: [LatencyHistogram]
    /// The time from a payment's scheduled start to its actual start, which is the generator's own delay. It is
    /// part of ``latency``.
    private(set) var lateness = LatencyHistogram()
    /// The number of payments by verdict.
    private(set) var tally: [PaymentVerdict: Int] = [:]
    /// The verdicts by payment number; `nil` if the payment has not ended, or was cancelled with the run.
    private(set) var verdicts: [PaymentVerdict?]
    private(set) var timeline: LoadTimeline
    private(set) var inFlight = 0
    /// The time from the start to the end of the last response so far.
    private(set) var elapsed: Duration = .zero

    private static let kindsMax = 100

    /// - Parameter turns: the number of gateways that take turns.
    init(_ schedule: ArrivalSchedule, turns: Int = 1) {
        self.schedule = schedule
        latencyByTurn = Array(repeating: LatencyHistogram(), count: turns)
        verdicts = Array(repeating: nil, count: schedule.count)
        timeline = LoadTimeline(over: schedule.end)
    }

    var successes: Int { tally.reduce(0) { $0 + ($1.key.isSuccess ? $1.value : 0) } }

    /// Returns the verdicts of the payments at a gateway, by reference.
    func verdicts(ofTurn turn: Int, _ references: [String]) -> [String: PaymentVerdict?] {
        let numbers = stride(from: turn, to: schedule.count, by: latencyByTurn.count)
        return Dictionary(numbers.map { (references[$0], verdicts[$0]) }) { $1 }
    }

    /// The number of payments that have ended, were left out or failed.
    var ended: Int { tally.values.reduce(0, +) }

    var leftOut: Int { tally[.leftOut, default: 0] }

    /// The successful responses per second, over the time of the run so far.
    var throughput: Double { elapsed > .zero ? Double(successes) / elapsed.inSeconds : 0 }

    /// Records that a payment was sent.
    mutating func begin() {
        inFlight += 1
    }

    /// Records that a payment that was sent has ended.
    ///
    /// - Parameters:
    ///   - sent: when it was sent, after the start.
    ///   - ended: when its response was complete, after the start.
    mutating func end(_ number: Int, sent: Duration, ended: Duration, _ verdict: PaymentVerdict) {
        let due = schedule.due(number)
        inFlight -= 1
        elapsed = max(elapsed, ended)
        latency.record(ended - due)
        latencyByTurn[number % latencyByTurn.count].record(ended - due)
        lateness.record(sent - due)
        note(number, verdict)
        timeline.record(due: due, latency: ended - due, isSuccess: verdict.isSuccess)
    }

    /// Records that a payment was due but could not be sent.
    mutating func leaveOut(_ number: Int) {
        note(number, .leftOut)
        timeline.record(due: schedule.due(number), latency: nil, isSuccess: false)
    }

    private mutating func note(_ number: Int, _ verdict: PaymentVerdict) {
        verdicts[number] = verdict
        // The number of distinct verdicts is limited, because the target chooses the texts in its responses.
        let isNew = tally[verdict] == nil && tally.count >= Self.kindsMax
        tally[isNew ? .unusable(reason: "more kinds than are counted separately") : verdict, default: 0] += 1
    }
}
