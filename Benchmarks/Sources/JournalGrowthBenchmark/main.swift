import Foundation
import Measuring
import PaymentRelay
import PostgresJournal
import SQLiteJournal
import TestPostgres

// An empty journal and a full one take turns in short rounds and are compared within each round, so that whatever else the
// machine does falls on both alike. What is printed is the median over the rounds.
let filling = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 1_000_000
let rounds = 61
let paymentsInRound = 300

func measure(_ name: String, empty: any Journal, full: any Journal) async throws {
    var journals = [JournaledPayments("new", in: empty), JournaledPayments("old", in: full)]
    try await journals[1].add(filling, atOnce: 64)
    var times: [[Double]] = [[], []]
    for round in 0..<rounds {
        for place in round.isMultiple(of: 2) ? [0, 1] : [1, 0] {
            let start = ContinuousClock.now
            try await journals[place].add(paymentsInRound, atOnce: 16)
            let (seconds, attoseconds) = start.duration(to: .now).components
            times[place].append((Double(seconds) * 1e6 + Double(attoseconds) / 1e12) / Double(paymentsInRound))
        }
    }
    let ratio = median(zip(times[1], times[0]).map { $0 / $1 })
    print(
        name.padding(toLength: 12, withPad: " ", startingAt: 0)
            + String(format: "%12.0f %12.0f %12.2f", median(times[0]), median(times[1]), ratio))
}

print("claim and settle of one payment, 16 at once; full is \(filling) payments; \(rounds) rounds\n")
print("            " + "    empty µs      full µs full / empty")

let folder = FileManager.default.temporaryDirectory.appending(path: "payrelay-growth-\(UUID().uuidString)")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }
try await measure(
    "SQLite", empty: SQLiteJournal(path: folder.appending(path: "empty.sqlite").path),
    full: SQLiteJournal(path: folder.appending(path: "full.sqlite").path))

if PostgresServer.isAvailable {
    let server = try PostgresServer.shared.get()
    try await measure(
        "PostgreSQL", empty: PostgresJournal(url: server.emptySchema()),
        full: PostgresJournal(url: server.emptySchema())
    )
}
