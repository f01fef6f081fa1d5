import Observability

/// A run divided into intervals of equal length, for charts.
struct LoadTimeline: Sendable {
    /// The figures of one interval.
    struct Piece: Sendable {
        /// The number of payments that were due.
        fileprivate(set) var due = 0
        /// The number of payments that ended, successful or not.
        fileprivate(set) var ended = 0
        /// The number of payments due in this interval that did not succeed.
        fileprivate(set) var failed = 0
        /// The latency of the payments due in this interval, so that a stall is shown where it began.
        fileprivate(set) var latency = LatencyHistogram(isCoarse: true)

        fileprivate mutating func add(_ other: Piece) {
            due += other.due
            ended += other.ended
            failed += other.failed
            latency.add(other.latency)
        }
    }

    /// The length of an interval. It is doubled if a run takes much longer than its schedule.
    private(set) var step: Duration
    private(set) var pieces: [Piece] = []
    private static let piecesMax = 120

    /// - Parameter duration: the duration of the whole schedule.
    init(over duration: Duration) {
        let steps: [Duration] = [0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60].map { .seconds($0) }
        let longest: Duration = .seconds(max(60, (duration.inSeconds / Double(Self.piecesMax)).rounded(.up)))
        step = steps.first { duration <= $0 * Self.piecesMax } ?? longest
    }

    /// Records a payment in the interval in which it was due, and its end in the interval in which it ended.
    ///
    /// - Parameters:
    ///   - due: when the payment should have been sent, after the start.
    ///   - latency: the time from then to its end; `nil` if it was never sent.
    mutating func record(due: Duration, latency: Duration?, isSuccess: Bool) {
        // The later time is recorded first, because it may double the step.
        if let latency {
            let end = place(of: due + latency)
            pieces[end].ended += 1
        }
        let place = place(of: due)
        pieces[place].due += 1
        if !isSuccess { pieces[place].failed += 1 }
        if let latency { pieces[place].latency.record(latency) }
    }

    /// Returns the index of the interval of a time. Missing intervals are added.
    private mutating func place(of moment: Duration) -> Int {
        while moment / step >= Double(2 * Self.piecesMax) { doubleStep() }
        let place = Int(moment / step)
        while pieces.count <= place { pieces.append(Piece()) }
        return place
    }

    private mutating func doubleStep() {
        step *= 2
        for place in 0..<(pieces.count + 1) / 2 {
            pieces[place] = pieces[2 * place]
            if 2 * place + 1 < pieces.count { pieces[place].add(pieces[2 * place + 1]) }
        }
        pieces.removeLast(pieces.count / 2)
    }
}
