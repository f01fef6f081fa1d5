import FoundationEssentials
import Observability
import PayrelayPrimitives
import RelayServer

/// The activity of the last hours as charts, and as a table for readers who cannot see the charts.
struct ActivityCharts {
    let minutes: [PaymentActivity.Minute]
    let now: Date
    let zone: ClockZone

    /// The groups of outcomes. ``Kind/other`` has every outcome that is not in the first three.
    private enum Kind: CaseIterable {
        case paid, declined, uncertain, other

        var name: String {
            switch self {
            case .paid: "paid"
            case .declined: "declined"
            case .uncertain: "uncertain"
            case .other: "refused or repeated"
            }
        }

        var colour: Int {
            switch self {
            case .paid: 1
            case .declined: 2
            case .uncertain: 3
            case .other: 4
            }
        }

        init(_ outcome: String) {
            switch outcome {
            case "authorized", "captured": self = .paid
            case "declined": self = .declined
            case "uncertain", "processing": self = .uncertain
            default: self = .other
            }
        }
    }

    var view: View {
        guard !minutes.isEmpty else { return .none }
        return ["charts": View([rate, outcomes, latency].map { .text($0.html) }), "rows": View(rows)]
    }

    // MARK: Charts

    private var rate: LineChart {
        let counts = minutes.map(\.payments)
        return chart(
            "Requests to pay, each minute",
            "\(counts.last ?? 0) in the last minute, \(counts.max() ?? 0) in the busiest", yLabel: "a minute",
            [.init(name: "all", colour: 1, points: points { Double($0.payments) })], yText: { $0.text(decimals: 0) })
    }

    private var outcomes: LineChart {
        let totals = Kind.allCases.map { kind in "\(minutes.map { count(kind, in: $0) }.reduce(0, +)) \(kind.name)" }
        return chart(
            "What came of them, each minute", totals.joined(separator: ", "), yLabel: "a minute",
            Kind.allCases.map { kind in
                .init(name: kind.name, colour: kind.colour, points: points { Double(count(kind, in: $0)) })
            }, yText: { $0.text(decimals: 0) })
    }

    private var latency: LineChart {
        let all = minutes.map(\.durations).reduce(into: [Int](repeating: 0, count: PaymentActivity.bounds.count + 1)) {
            for (index, count) in $1.enumerated() { $0[index] += count }
        }
        func line(_ name: String, _ colour: Int, _ percentile: Double) -> LineChart.Line {
            .init(
                name: name, colour: colour,
                points: points { Self.duration(atPercentile: percentile, of: $0.durations).map { $0 * 1_000 } })
        }
        return chart(
            "How long they took", "half within \(Self.text(50, of: all)), 99 of 100 within \(Self.text(99, of: all))",
            yLabel: "milliseconds", yScale: .logarithmic,
            [line("99 of 100", 2, 99), line("half", 1, 50)], yText: { $0.text(decimals: $0 < 1 ? 1 : 0) })
    }

    private func chart(
        _ title: String, _ summary: String, yLabel: String, yScale: Axis.Scale = .linear, _ lines: [LineChart.Line],
        yText: @escaping (Double) -> String
    ) -> LineChart {
        LineChart(
            title: title, summary: summary, xLabel: "hours ago; now \(clock), \(zone == .utc ? "UTC" : "\(zone)")",
            yLabel: yLabel, yScale: yScale, xRange: min(-1, minutes.first.map(hoursAgo) ?? 0)...0, lines: lines,
            xText: { $0 == 0 ? "now" : (-$0).text(decimals: $0.rounded() == $0 ? 0 : 1) }, yText: yText)
    }

    /// The current time in the zone, such as `11:30`.
    private var clock: Substring { Substring(zone.text(of: now).utf8.dropFirst(11).prefix(5)) }

    private func points(_ value: (PaymentActivity.Minute) -> Double?) -> [(x: Double, y: Double?)] {
        minutes.map { (hoursAgo($0), value($0)) }
    }

    private func hoursAgo(_ minute: PaymentActivity.Minute) -> Double {
        min(0, minute.end.timeIntervalSince(now) / 3_600)
    }

    private func count(_ kind: Kind, in minute: PaymentActivity.Minute) -> Int {
        minute.outcomes.reduce(0) { $0 + (Kind($1.key) == kind ? $1.value : 0) }
    }

    // MARK: Table

    /// One row for each quarter of an hour with a payment request, the newest first.
    private var rows: [View] {
        let quarter = 900.0
        let groups = Dictionary(grouping: minutes) { ($0.end.timeIntervalSince1970 / quarter).rounded(.down) }
        return groups.sorted { $0.key > $1.key }.compactMap { number, minutes in
            guard minutes.contains(where: { $0.payments > 0 }) else { return nil }
            var durations = [Int](repeating: 0, count: PaymentActivity.bounds.count + 1)
            for minute in minutes {
                for (index, count) in minute.durations.enumerated() { durations[index] += count }
            }
            return [
                "from": View(Date(timeIntervalSince1970: number * quarter)),
                "cells": View(
                    Kind.allCases.map { kind in
                        [
                            "label": .text(kind.name),
                            "text": .text(minutes.map { count(kind, in: $0) }.reduce(0, +).text),
                        ]
                    } + [
                        ["label": "half within", "text": .text(Self.text(50, of: durations))],
                        ["label": "99 of 100 within", "text": .text(Self.text(99, of: durations))],
                    ]),
            ]
        }
    }

    private static func text(_ percentile: Double, of durations: [Int]) -> String {
        duration(atPercentile: percentile, of: durations).map { Duration.seconds($0).text } ?? "–"
    }

    /// Returns a percentile in seconds; `nil` if there are no durations. Durations are assumed to be evenly
    /// distributed within their bucket.
    static func duration(atPercentile percentile: Double, of durations: [Int]) -> Double? {
        let count = durations.reduce(0, +)
        guard count > 0 else { return nil }
        let rank = percentile / 100 * Double(count)
        var below = 0
        for (index, inside) in durations.enumerated() where inside > 0 {
            if Double(below + inside) >= rank {
                let bounds = PaymentActivity.bounds
                guard index < bounds.count else { return bounds.last }
                let lower = index == 0 ? 0 : bounds[index - 1]
                return lower + (bounds[index] - lower) * max(0, rank - Double(below)) / Double(inside)
            }
            below += inside
        }
        return PaymentActivity.bounds.last
    }
}
