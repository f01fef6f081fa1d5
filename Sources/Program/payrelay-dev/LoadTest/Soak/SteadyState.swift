import Observability

/// Checks that a long run ended where it began. Compares the memory and latency of its last tenth, and the
/// descriptors of its last fifth, with those of an early tenth.
struct SteadyState: Sendable {
    private let recording: LoadRecording
    private let usage: [ProcessUsage]

    /// - Parameter usage: the usage of the relay's process, measured in equal steps during the load.
    init(of recording: LoadRecording, usage: [ProcessUsage]) {
        self.recording = recording
        self.usage = usage
    }

    /// Descriptions of the growth during the run. A run that is too short for a decision is reported, too.
    var drift: [String] {
        // The first tenth fills caches and opens connections, so the second tenth is compared with the last.
        guard let early = tenth(1, of: usage), let late = tenth(9, of: usage),
            let earlyPieces = tenth(1, of: recording.timeline.pieces.filter { $0.due > 0 }),
            let latePieces = tenth(9, of: recording.timeline.pieces.filter { $0.due > 0 })
        else { return ["too little was measured to decide whether the relay is steady"] }
        var drift: [String] = []
        let memory = (median(early.map(\.residentBytes)), median(late.map(\.residentBytes)))
        // Tolerates growth by a tenth, and by 8 MiB for memory that the allocator keeps.
        if memory.1 > memory.0 + memory.0 / 10 + 8_388_608 {
            drift.append("memory went from \(memory.0.mebibytes) to \(memory.1.mebibytes)")
        }
        // Many connections open at once when a response is late, and they close only after a long idle time. A
        // leak never closes, so it shows in the minimum over a longer time.
        let least = usage.suffix(usage.count / 5).map(\.descriptors).min() ?? 0
        let descriptors = (median(early.map(\.descriptors)), least)
        if descriptors.1 > descriptors.0 + descriptors.0 / 4 + 16 {
            drift.append("open descriptors went from \(descriptors.0) to \(descriptors.1)")
        }
        let latency = (medianLatency(earlyPieces), medianLatency(latePieces))
        if latency.1 > latency.0 * 2 + .milliseconds(1) {
            drift.append("the median latency went from \(latency.0.text) to \(latency.1.text)")
        }
        return drift
    }

    private func tenth<Element>(_ number: Int, of elements: [Element]) -> ArraySlice<Element>? {
        let size = elements.count / 10
        return size > 0 ? elements[number * size..<(number + 1) * size] : nil
    }

    private func median(_ values: [Int]) -> Int { values.sorted()[values.count / 2] }

    private func medianLatency(_ pieces: ArraySlice<LoadTimeline.Piece>) -> Duration {
        .microseconds(median(pieces.map { Int($0.latency.value(atPercentile: 50).wholeMicroseconds) }))
    }
}
