/// The run cut into equal pieces of time, for pictures.
public struct LoadTimeline: Sendable {
    /// What happened in one piece.
    public struct Piece: Sendable {
        /// How many payments were due.
        public fileprivate(set) var due = 0
        /// How many ended, well or not.
        public fileprivate(set) var ended = 0
        /// How many of those that were due here ended as no success.
        public fileprivate(set) var failed = 0
        /// Of those that were due here: a stall shows where it began.
        public fileprivate(set) var latency = LatencyHistogram(isCoarse: true)
    }

    /// How long a piece is.
    public let step: Duration
    public private(set) var pieces: [Piece] = []
    private static let piecesMax = 120

    /// - Parameter duration: of the whole schedule; what ends later is put to the last pieces, of which there are at most
    ///   as many again.
    init(over duration: Duration) {
        let steps: [Duration] = [0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60].map { .seconds($0) }
        let longest: Duration = .seconds(max(60, (duration.inSeconds / Double(Self.piecesMax)).rounded(.up)))
        step = steps.first { duration <= $0 * Self.piecesMax } ?? longest
    }

    /// - Parameters:
    ///   - due: when it should have left, counted from the start.
    ///   - latency: from then to its end; nil where it was never sent.
    mutating func record(due: Duration, latency: Duration?, isSuccess: Bool) {
        let place = place(of: due)
        pieces[place].due += 1
        if !isSuccess { pieces[place].failed += 1 }
        guard let latency else { return }
        pieces[place].latency.record(latency)
        let end = self.place(of: due + latency)
        pieces[end].ended += 1
    }

    /// Makes room for the piece where there is none yet.
    private mutating func place(of moment: Duration) -> Int {
        let place = min(Int(moment / step), 2 * Self.piecesMax - 1)
        while pieces.count <= place { pieces.append(Piece()) }
        return place
    }
}
