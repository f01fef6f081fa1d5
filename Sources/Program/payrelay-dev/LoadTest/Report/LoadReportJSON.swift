import Observability
import PayrelayPrimitives

extension LoadReport {
    /// The report as JSON, with durations in milliseconds and memory in bytes.
    var json: JSON {
        var json: JSONObject = [
            "success": .bool(failures.isEmpty), "faults": .array(failures.map(JSON.string)),
            "finished_at": .string(finishedAt), "settings": settings.json, "machine": machine.json,
            "payments": JSON(recording.schedule.count), "successes": JSON(recording.successes),
            "left_out": JSON(recording.leftOut), "throughput": .decimal(recording.throughput),
            "latency_ms": Self.json(of: recording.latency), "lateness_ms": Self.json(of: recording.lateness),
            "own_cpu_seconds": .decimal(ownTime.inSeconds), "outcomes": Self.json(of: outcomes),
            "errors": Self.json(of: errors),
            "gateways": .object(JSONObject(shares.map { ($0.name, Self.json(of: $0)) })),
            "timeline": timeline,
        ]
        if let audit {
            json["books"] = [
                "equal": .bool(audit.isEqual), "payments": JSON(audit.payments), "charges": JSON(audit.charges),
                "differences": .array(audit.differences.map { .string($0.description) }),
            ]
        }
        json["saturation"] = saturation.map(\.json)
        if !usage.isEmpty { json["relay_process"] = .array(usage.map(\.json)) }
        return .object(json)
    }

    private static func json(of histogram: LatencyHistogram) -> JSON {
        .object(
            JSONObject(
                percentiles.map { ($0.name, .decimal(histogram.value(atPercentile: $0.percentile).inMilliseconds)) }))
    }

    private static func json(of tally: [(name: String, count: Int, isSuccess: Bool)]) -> JSON {
        .object(JSONObject(tally.map { ($0.name, JSON($0.count)) }))
    }

    private static func json(of share: GatewayShare) -> JSON {
        [
            "payments": JSON(share.payments), "successes": JSON(share.successes),
            "latency_ms": Self.json(of: share.latency),
        ]
    }

    private var timeline: JSON {
        let step = recording.timeline.step.inSeconds
        return .array(
            recording.timeline.pieces.enumerated().map { place, piece in
                [
                    "seconds": .decimal(Double(place) * step), "due": JSON(piece.due), "ended": JSON(piece.ended),
                    "failed": JSON(piece.failed), "latency_ms": Self.json(of: piece.latency),
                ]
            })
    }
}

extension LoadSettings {
    fileprivate var json: JSON {
        var json: JSONObject = [
            "target": .string(target), "own_servers": .bool(ownServers),
            "gateways": .array(gateways.map(JSON.string)), "rate": .decimal(rate),
            "duration_seconds": .decimal(duration.inSeconds), "connections": JSON(connections),
            "preparation_seconds": .decimal(preparation.inSeconds),
        ]
        json["tokens"] = tokenFolder.map(JSON.string)
        json["gateway_latency_seconds"] = gatewayLatency.map { .decimal($0.inSeconds) }
        return .object(json)
    }
}

extension Saturation {
    fileprivate var json: JSON {
        var json: JSONObject = ["p99_limit_ms": .decimal(p99Limit.inMilliseconds)]
        json["highest_rate"] = best.map(JSON.decimal)
        json["steps"] = .array(
            steps.map { step in
                [
                    "rate": .decimal(step.rate), "p99_ms": .decimal(step.p99.inMilliseconds),
                    "throughput": .decimal(step.throughput), "failures": JSON(step.failures),
                    "carried": .bool(step.passed),
                ]
            })
        return .object(json)
    }
}

extension Machine {
    fileprivate var json: JSON {
        [
            "cpu": .string(cpu), "cores": JSON(cores), "memory_bytes": JSON(memory),
            "system": .string(system),
        ]
    }
}

extension ProcessUsage {
    fileprivate var json: JSON {
        [
            "seconds": .decimal(moment.inSeconds), "resident_bytes": JSON(residentBytes),
            "descriptors": JSON(descriptors), "cpu_seconds": .decimal(cpuTime.inSeconds),
        ]
    }
}

extension JSON {
    /// Returns a number with three decimals, which is a precision of a microsecond for milliseconds.
    fileprivate static func decimal(_ value: Double) -> JSON {
        .number(value.text(decimals: 3).filter { $0 != "," })
    }
}
