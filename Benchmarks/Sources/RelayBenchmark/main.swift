import Foundation
import Measuring
import TestPostgres
import TestPrograms

// Prints the figures of the relay as a whole, each beside the value it is compared with. Run it in the project's folder with
// these arguments: the path of a payrelay that was built for release, the number of payments for the measurement of memory, and
// the number of repetitions of each other measurement. docs/performance.md explains the method.
// With --stages first, it measures only what a payment and its steps cost at saturation. With --against OLD, it compares only
// the cost of a payment with an older build; with --peer RELAY GATEWAY, with another relay before that gateway.
var arguments = CommandLine.arguments.dropFirst().filter { $0 != "--stages" }
let stagesAlone = CommandLine.arguments.contains("--stages")
let old = arguments.first == "--against" ? arguments.dropFirst().first : nil
if old != nil { arguments = Array(arguments.dropFirst(2)) }
let peer = arguments.first == "--peer" ? Array(arguments.dropFirst().prefix(2)) : []
if !peer.isEmpty { arguments = Array(arguments.dropFirst(3)) }
guard let program = arguments.first else {
    print(
        "usage: RelayBenchmark [--stages | --against OLD | --peer RELAY GATEWAY] PAYRELAY [PAYMENTS [COUNT [ROUNDS]]]")
    exit(64)
}
let numbers = arguments.dropFirst().map { Int($0) ?? 0 }
let (payments, count, rounds) = (
    numbers.first ?? 40_000, numbers.dropFirst().first ?? 6_000, numbers.dropFirst(2).first ?? 3
)
guard payments >= 1_000, count >= 1_000, rounds >= 1 else {
    print("PAYMENTS and COUNT must be at least 1000, ROUNDS at least 1")
    exit(64)
}

/// Reports on standard error what is being measured: some measurements take a minute.
func progress(_ what: String) { FileHandle.standardError.write(Data("measuring: \(what)\n".utf8)) }

/// Starts a PostgreSQL whose commits reach the disk, as a merchant's do.
func durablePostgres() async throws -> PostgresServer? {
    guard PostgresServer.canBeStarted else { return nil }
    let server = try await PostgresServer()
    try shell("psql '\(server.url)' -qc 'ALTER SYSTEM SET fsync = on' -c 'SELECT pg_reload_conf()'")
    return server
}

@MainActor func measureStages() async throws {
    progress("minting")
    let purchases = try await Purchases.minted(count + count / 10)
    let limit = try Limit()
    let saturation = try Saturation(program, purchases, rounds: rounds, postgres: nil)
    let steps = try await Steps(program, purchases.prefix(count / 2))
    let whole = median(saturation.relayWithSQLite.map(\.cpuTime))
    print(Row.head)
    for row in saturation.rows(limit) + steps.rows(of: whole) { print(row.text) }
}

@MainActor func measure(against old: String) async throws {
    let postgres = try await durablePostgres()
    progress("minting")
    let purchases = try await Purchases.minted(payments)
    print(Row.head)
    for row in try Turns(old, program, purchases, postgres: nil).rows() { print(row.text) }
    guard let postgres else { return }
    for row in try Turns(old, program, purchases, postgres: postgres).rows() { print(row.text) }
}

@MainActor func measure(beside peer: [String]) async throws {
    progress("minting")
    let purchases = try await Purchases.minted(Peer.payments)
    print(Row.head)
    for row in try Peer(program, peer: peer[0], gateway: peer[1], purchases).rows { print(row.text) }
}

@MainActor func measureAll() async throws {
    let postgres = try await durablePostgres()
    progress("minting")
    let purchases = try await Purchases.minted(count + count / 10)
    let limit = try Limit()
    let saturation = try Saturation(program, purchases, rounds: rounds, postgres: postgres)
    let steps = try await Steps(program, purchases.prefix(count / 2))
    let latency = try AddedLatency(program, purchases.prefix(min(count, Int(AddedLatency.rate) * 10)), rounds: rounds)
    let memory = try await Memory(program, payments: payments)
    let start = try Start(program, times: 9)
    let size = try BinarySize(program)
    let growth = try Growth(program, purchases, postgres: postgres)

    let bodies = purchases.prefix(100)
    print(
        """
        \(count) payments in each measurement, \(rounds) rounds. A body has \(bodies.toRelay().meanLength) bytes with its head to \
        the relay, \(bodies.toFort().meanLength) to nginx and the sandbox.

        \(Row.head)
        """)
    let whole = median(saturation.relayWithSQLite.map(\.cpuTime))
    let rows =
        saturation.rows(limit) + latency.rows() + steps.rows(of: whole) + memory.rows() + start.rows() + size.rows()
        + growth.rows()
    for row in rows { print(row.text) }
    if postgres == nil { print("\nPostgreSQL's server programs are not installed: nothing was measured with it.") }
}

do {
    if let old {
        try await measure(against: old)
    } else if peer.count == 2 {
        try await measure(beside: peer)
    } else {
        try await stagesAlone ? measureStages() : measureAll()
    }
} catch {
    FileHandle.standardError.write(Data("\(error)\n".utf8))
    exit(1)
}
