import Charts

/// Results of the payments of a run, collected while it lasts.
public struct LoadRecording: Sendable {
    public let schedule: ArrivalSchedule
    /// Time from a payment's scheduled start to the end of its answer, of all payments that were sent.
    public private(set) var latency = LatencyHistogram()
    /// The same of the payments at each gateway: they take turns, so that of payment `n` is at `n` modulo their number.
    public private(set) var latencyByTurn: [LatencyHistogram]
    /// Time from a payment's scheduled to its actual start: the generator's own delay. Part of ``latency``.
    public private(set) var lateness = LatencyHistogram()
    /// Number of payments by verdict.
    public private(set) var tally: [PaymentVerdict: Int] = [:]
    /// Verdicts by payment number; nil if the payment has not ended, or was cancelled with the run.
    public private(set) var verdicts: [PaymentVerdict?]
    public private(set) var timeline: LoadTimeline
    public private(set) var inFlight = 0
    /// From the start to the end of the last answer so far.
    public private(set) var elapsed: Duration = .zero

    private static let kindsMax = 100

    /// - Parameter turns: how many gateways take turns.
    public init(_ schedule: ArrivalSchedule, turns: Int = 1) {
        self.schedule = schedule
        latencyByTurn = Array(repeating: LatencyHistogram(), count: turns)
        verdicts = Array(repeating: nil, count: schedule.count)
        timeline = LoadTimeline(over: schedule.end)
    }

    public var successes: Int { tally.reduce(0) { $0 + ($1.key.isSuccess ? $1.value : 0) } }

    /// By reference, the verdicts of the payments at a gateway.
    func verdicts(ofTurn turn: Int, _ references: [String]) -> [String: PaymentVerdict?] {
        let numbers = stride(from: turn, to: schedule.count, by: latencyByTurn.count)
        return Dictionary(numbers.map { (references[$0], verdicts[$0]) }) { $1 }
    }

    /// How many ended, were left out or failed.
    public var ended: Int { tally.values.reduce(0, +) }

    public var leftOut: Int { tally[.leftOut, default: 0] }

    /// Answers a second, over the time that they took; successes alone.
    public var throughput: Double { elapsed > .zero ? Double(successes) / elapsed.inSeconds : 0 }

    /// A payment leaves.
    mutating func begin() {
        inFlight += 1
    }

    /// A payment that left has ended.
    ///
    /// - Parameters:
    ///   - sent: when it left, counted from the start.
    ///   - ended: when its answer was there, counted from the start.
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

    /// A payment was due and could not leave.
    mutating func leaveOut(_ number: Int) {
        note(number, .leftOut)
        timeline.record(due: schedule.due(number), latency: nil, isSuccess: false)
    }

    private mutating func note(_ number: Int, _ verdict: PaymentVerdict) {
        verdicts[number] = verdict
        // What a target writes into its answers must not fill the memory.
        let isNew = tally[verdict] == nil && tally.count >= Self.kindsMax
        tally[isNew ? .unusable(reason: "more kinds than are counted separately") : verdict, default: 0] += 1
    }
}
