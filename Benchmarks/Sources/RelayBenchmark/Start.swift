import Measuring

/// The time from the start of the process to the first time that `/ready` says yes, with a journal that does not exist yet.
@MainActor struct Start {
    private var milliseconds: [Double] = []

    init(_ program: String, times: Int) throws {
        progress("start")
        for _ in 0..<times {
            let relays = try Relays(program, journal: .sqlite)
            milliseconds.append(relays.relays[0].startTime / .milliseconds(1))
        }
    }

    func rows() -> [Row] {
        [
            Row(
                "**start** to ready, the median of \(milliseconds.count)",
                String(format: "%.0f ms", median(milliseconds)))
        ]
    }
}
