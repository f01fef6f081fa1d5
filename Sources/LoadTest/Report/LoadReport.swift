import FoundationEssentials

/// What a run showed, for every form in which it is told.
public struct LoadReport: Sendable {
    public var settings: LoadSettings
    public var machine: Machine
    public var recording: LoadRecording
    /// nil where there was no sandbox to ask.
    public var audit: BooksAudit?
    /// What the relay's process held while the load lasted; empty where it could not be looked at.
    public var usage: [ProcessUsage]
    /// What the generator itself used on all cores while the load lasted.
    public var ownTime: Duration
    /// What did not end where it began; nil where that was not asked.
    public var drift: [String]?
    /// Whether the sandbox erred on purpose: then a payment may be `uncertain`, as long as the books are equal in the end.
    public var meetsFaults = false
    /// nil where no highest rate was looked for.
    public var saturation: Saturation?
    /// When it ended, as RFC 3339 writes it.
    public var finishedAt: String

    init(
        settings: LoadSettings, machine: Machine, recording: LoadRecording, audit: BooksAudit?,
        usage: [ProcessUsage] = [], ownTime: Duration = .zero
    ) {
        self.settings = settings
        self.machine = machine
        self.recording = recording
        self.audit = audit
        self.usage = usage
        self.ownTime = ownTime
        finishedAt = Date().formatted(.iso8601)
    }

    /// The percentiles that are told, by name.
    static let percentiles: [(name: String, percentile: Double)] = [
        ("p50", 50), ("p90", 90), ("p99", 99), ("p99.9", 99.9), ("p99.99", 99.99), ("max", 100),
    ]

    /// Why the run is no success; empty where it is one.
    public var faults: [String] {
        var faults: [String] = []
        let uncertain = meetsFaults ? recording.tally[.outcome("uncertain"), default: 0] : 0
        let failed = recording.schedule.count - recording.successes - uncertain
        if let saturation, saturation.best == nil { faults.append("no rate was carried") }
        if failed > 0 {
            let wanted = meetsFaults ? "neither a success nor uncertain" : "no success"
            faults.append("\(failed.text) of \(recording.schedule.count.text) payments were \(wanted)")
        }
        if meetsFaults, uncertain == 0 { faults.append("no payment met a fault") }
        if let audit, !audit.isEven {
            faults.append("\(audit.findings.count.text) differences between the books and what the relay told")
        }
        return faults + (drift ?? [])
    }

    /// What to know before the figures are believed; empty where there is nothing.
    var caveats: [String] {
        var caveats: [String] = []
        let lateness = recording.lateness.value(atPercentile: 99)
        if lateness > .milliseconds(1), lateness * 4 > recording.latency.value(atPercentile: 99) {
            caveats.append(
                "The generator itself fell behind: one payment in a hundred left \(lateness.text) late or later. The latencies contain that; the machine is too busy for this rate."
            )
        }
        if recording.leftOut > 0 {
            caveats.append(
                "\(recording.leftOut.text) payments could not leave because \(settings.connections.text) were under way. They have no latency here, so the percentiles are too low."
            )
        }
        return caveats
    }

    /// Outcomes that the relay told, and everything else, each the most frequent first.
    var outcomes: [(name: String, count: Int, isSuccess: Bool)] {
        tally { if case .outcome = $0 { true } else { false } }
    }

    var errors: [(name: String, count: Int, isSuccess: Bool)] {
        tally { if case .outcome = $0 { false } else { true } }
    }

    private func tally(where isIncluded: (PaymentVerdict) -> Bool) -> [(name: String, count: Int, isSuccess: Bool)] {
        recording.tally.filter { isIncluded($0.key) }
            .map { (name: $0.key.description, count: $0.value, isSuccess: $0.key.isSuccess) }
            .sorted { ($1.count, $0.name) < ($0.count, $1.name) }
    }
}
