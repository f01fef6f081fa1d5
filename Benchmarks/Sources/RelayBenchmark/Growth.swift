import Measuring
import TestPostgres

/// CPU time and throughput with more callers, longer bodies, or a second relay.
@MainActor struct Growth {
    private static let connections = [1, 8, 64, 256, 1_000]
    /// The lengths of bodies in bytes. The first is about the length of a phone's request.
    private static let lengths = [4_096, 16_384, 65_536]

    private var byConnections: [Saturation.Run] = []
    private var byLength: [(relay: Saturation.Run, nginx: Saturation.Run)] = []
    private var byRelays: [Saturation.Run] = []

    init(_ program: String, _ purchases: Purchases, postgres: PostgresServer?) throws {
        for connections in Self.connections {
            progress("growth, \(connections) connections")
            // A single caller waits for each answer and for the disk, so that a quarter of the payments is enough.
            let some = purchases.prefix(connections == 1 ? purchases.count / 4 : purchases.count)
            byConnections.append(try Saturation.relay(program, some, .sqlite, connections: connections))
        }
        for length in Self.lengths {
            progress("growth, bodies of \(length) bytes")
            byLength.append(
                (
                    try Saturation.relay(program, purchases, .sqlite, paddedTo: length),
                    try Saturation.nginx(program, purchases, paddedTo: length)
                ))
        }
        guard let postgres else { return }
        for count in [1, 2] {
            progress("growth, \(count) relays on one PostgreSQL")
            byRelays.append(try Saturation.relay(program, purchases, .postgres(postgres), count: count))
        }
    }

    func rows() -> [Row] {
        connectionRows + lengthRows
            + (byRelays.count < 2
                ? []
                : [
                    Row(
                        "**growth**: two relays on one PostgreSQL against one", byRelays[1].rate.perSecond,
                        beside: byRelays[0].rate.perSecond, ratio: byRelays[1].rate / byRelays[0].rate)
                ])
    }

    private var connectionRows: [Row] {
        zip(Self.connections, byConnections).map { connections, run in
            Row(
                "**growth**: \(connections) connections against \(Self.connections[2]); \(run.cpuTime.microseconds) CPU, \(run.residentBytesMax.mebibytes)",
                run.rate.perSecond, beside: byConnections[2].rate.perSecond, ratio: run.rate / byConnections[2].rate)
        }
    }

    private var lengthRows: [Row] {
        zip(Self.lengths, byLength).map { length, runs in
            Row(
                "**growth**: CPU with bodies of \(length / 1_024) KiB, relay against nginx; \(runs.relay.rate.perSecond)",
                runs.relay.cpuTime.microseconds, beside: runs.nginx.cpuTime.microseconds,
                ratio: runs.relay.cpuTime / runs.nginx.cpuTime)
        }
    }
}
