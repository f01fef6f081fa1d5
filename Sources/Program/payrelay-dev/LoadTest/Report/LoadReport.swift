import FoundationEssentials
import Observability
import PayrelayAPI

/// The result of a run, and whether the run failed.
struct LoadReport: Sendable {
    var settings: LoadSettings
    var machine: Machine
    var recording: LoadRecording
    /// The audits of the sandbox's books, one for each gateway; empty if there was no sandbox.
    var audits: [BooksAudit]
    /// The usage of the relay's process during the load; empty if it could not be measured.
    var usage: [ProcessUsage]
    /// The CPU time of the generator itself during the load, on all cores.
    var ownTime: Duration
    /// The growth that a soak test found; `nil` if there was no soak test.
    var drift: [String]?
    /// Whether faults were injected. If so, a payment may be `uncertain`, provided that the books are equal in
    /// the end.
    var meetsFaults = false
    /// The result of the search for the highest rate; `nil` if there was none.
    var saturation: Saturation?
    /// When the run ended, in RFC 3339.
    var finishedAt: String

    init(
        settings: LoadSettings, machine: Machine, recording: LoadRecording, audits: [BooksAudit],
        usage: [ProcessUsage] = [], ownTime: Duration = .zero
    ) {
        self.settings = settings
        self.machine = machine
        self.recording = recording
        self.audits = audits
        self.usage = usage
        self.ownTime = ownTime
        finishedAt = Date().formatted(.iso8601)
    }

    /// The percentiles that are reported, by name.
    static let percentiles: [(name: String, percentile: Double)] = [
        ("p50", 50), ("p90", 90), ("p99", 99), ("p99.9", 99.9), ("p99.99", 99.99), ("max", 100),
    ]

    /// The audit of all books; `nil` if there was no sandbox.
    var audit: BooksAudit? { audits.isEmpty ? nil : BooksAudit(audits) }

    /// The payments at each gateway.
    var shares: [GatewayShare] {
        settings.gateways.enumerated().map { turn, name in
            let verdicts = stride(from: turn, to: recording.schedule.count, by: settings.gateways.count)
                .map { recording.verdicts[$0] }
            return GatewayShare(
                name: name, payments: verdicts.count, successes: verdicts.count { $0?.isSuccess == true },
                latency: recording.latencyByTurn[turn])
        }
    }

    /// Why the run failed; empty if it succeeded.
    var failures: [String] {
        var failures: [String] = []
        let uncertain = meetsFaults ? recording.tally[.outcome(.uncertain), default: 0] : 0
        let failed = recording.schedule.count - recording.successes - uncertain
        if let saturation, saturation.best == nil { failures.append("no rate was carried") }
        if failed > 0 {
            let wanted = meetsFaults ? "neither a success nor uncertain" : "no success"
            failures.append("\(failed.text) of \(recording.schedule.count.text) payments were \(wanted)")
        }
        if meetsFaults, uncertain == 0 { failures.append("no payment met a fault") }
        if let audit, !audit.isEqual {
            failures.append("\(audit.differences.count.text) differences between the books and what the relay reported")
        }
        return failures + (drift ?? [])
    }

    /// Circumstances that limit the validity of the figures; empty if there are none.
    var caveats: [String] {
        var caveats: [String] = []
        let lateness = recording.lateness.value(atPercentile: 99)
        if lateness > .milliseconds(1), lateness * 4 > recording.latency.value(atPercentile: 99) {
            caveats.append(
                "The generator itself fell behind: one payment in a hundred was sent \(lateness.text) late or later. The latencies contain that; the machine is too busy for this rate."
            )
        }
        if recording.leftOut > 0 {
            caveats.append(
                "\(recording.leftOut.text) payments could not be sent because \(settings.connections.text) were in flight. They have no latency here, so the percentiles are too low."
            )
        }
        return caveats
    }

    /// The outcomes in the relay's responses, the most frequent first.
    var outcomes: [(name: String, count: Int, isSuccess: Bool)] {
        tally { if case .outcome = $0 { true } else { false } }
    }

    /// The payments that ended without an outcome, the most frequent verdict first.
    var errors: [(name: String, count: Int, isSuccess: Bool)] {
        tally { if case .outcome = $0 { false } else { true } }
    }

    private func tally(where isIncluded: (PaymentVerdict) -> Bool) -> [(name: String, count: Int, isSuccess: Bool)] {
        recording.tally.filter { isIncluded($0.key) }
            .map { (name: $0.key.description, count: $0.value, isSuccess: $0.key.isSuccess) }
            .sorted { ($1.count, $0.name) < ($0.count, $1.name) }
    }
}

/// The payments of a run at one gateway.
struct GatewayShare {
    let name: String
    let payments: Int
    let successes: Int
    /// The same as ``LoadRecording/latency``, for this gateway.
    let latency: LatencyHistogram
}
