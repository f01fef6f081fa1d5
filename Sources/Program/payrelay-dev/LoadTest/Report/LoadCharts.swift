import Observability

extension LoadReport {
    var charts: [LineChart] {
        [latencyByPercentile, latencyOverTime, throughputOverTime]
            + (usage.count > 1 ? [memoryOverTime, descriptorsOverTime] : [])
    }

    private var latencyByPercentile: LineChart {
        // Higher percentiles than this number of payments can show would only repeat the longest latency.
        let highest =
            [90, 99, 99.9, 99.99, 99.999].last { (100 - $0) / 100 * Double(recording.latency.count) >= 1 } ?? 90
        var percentiles: [Double] = []
        var distance = 100.0
        while 100 - distance <= highest {
            percentiles.append(100 - distance)
            distance /= 1.12
        }
        percentiles.append(highest)
        return LineChart(
            title: "Latency by percentile", xLabel: "percentile", yLabel: "latency", xScale: .percentile,
            yScale: .logarithmic, xRange: 0...highest,
            lines: [
                .init(name: "payments", colour: 1, points: points(of: recording.latency, at: percentiles)),
                .init(name: "of that, left late", colour: 4, points: points(of: recording.lateness, at: percentiles)),
            ],
            xText: { "\($0.text(decimals: $0 > 99.99 ? 3 : $0 > 99.9 ? 2 : $0 > 99 ? 1 : 0))" }, yText: milliseconds)
    }

    private func points(of histogram: LatencyHistogram, at percentiles: [Double]) -> [(x: Double, y: Double?)] {
        percentiles.map { ($0, max(0.001, histogram.value(atPercentile: max($0, 0.001)).inMilliseconds)) }
    }

    private var latencyOverTime: LineChart {
        func line(_ name: String, _ colour: Int, _ percentile: Double) -> LineChart.Line {
            .init(
                name: name, colour: colour,
                points: pieces.map { moment, piece in
                    (
                        moment,
                        piece.latency.count > 0 ? piece.latency.value(atPercentile: percentile).inMilliseconds : nil
                    )
                })
        }
        return LineChart(
            title: "Latency over time, by when payments were due", xLabel: "seconds", yLabel: "latency",
            yScale: .logarithmic, xRange: times,
            lines: [line("max", 3, 100), line("p99", 2, 99), line("p50", 1, 50)], xText: seconds, yText: milliseconds)
    }

    private var throughputOverTime: LineChart {
        let step = recording.timeline.step.inSeconds
        func line(_ name: String, _ colour: Int, _ count: @escaping (LoadTimeline.Piece) -> Int) -> LineChart.Line {
            .init(name: name, colour: colour, points: pieces.map { ($0, Double(count($1)) / step) })
        }
        return LineChart(
            title: "Throughput over time", xLabel: "seconds", yLabel: "payments/s", xRange: times,
            lines: [line("due", 4) { $0.due }, line("answered", 1) { $0.ended }, line("failed", 3) { $0.failed }],
            xText: seconds, yText: { $0.text(decimals: 0) })
    }

    private var memoryOverTime: LineChart {
        LineChart(
            title: "Memory of the relay's process", xLabel: "seconds", yLabel: "MiB", xRange: times,
            lines: [
                .init(
                    name: "resident", colour: 1,
                    points: usage.map { ($0.moment.inSeconds, Double($0.residentBytes) / 1_048_576) })
            ],
            xText: seconds, yText: { $0.text(decimals: 0) })
    }

    private var descriptorsOverTime: LineChart {
        LineChart(
            title: "Open descriptors of the relay's process", xLabel: "seconds", yLabel: "descriptors", xRange: times,
            lines: [
                .init(name: "open", colour: 1, points: usage.map { ($0.moment.inSeconds, Double($0.descriptors)) })
            ],
            xText: seconds, yText: { $0.text(decimals: 0) })
    }

    /// The intervals, each with the time of its middle in seconds.
    private var pieces: [(moment: Double, piece: LoadTimeline.Piece)] {
        let step = recording.timeline.step.inSeconds
        return recording.timeline.pieces.enumerated().map { (Double($0) * step + step / 2, $1) }
    }

    private var times: ClosedRange<Double> {
        0...max(1, Double(recording.timeline.pieces.count) * recording.timeline.step.inSeconds)
    }
}

private func seconds(_ value: Double) -> String { value.text(decimals: value.rounded() == value ? 0 : 1) }

private func milliseconds(_ value: Double) -> String { Duration.seconds(value / 1e3).text }
