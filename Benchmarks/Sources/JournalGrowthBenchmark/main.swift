import Foundation
import Measuring
import PaymentRelay
import PayrelayPrimitives
import PostgresDriver
import SQLJournal
import SQLiteDriver
import TestPostgres

// An empty journal and a full one take turns in short rounds and are compared within each round: other work of the machine then
// slows down both alike. The program prints the median over the rounds.
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
    try await measurePages(of: full)
    let ratio = median(zip(times[1], times[0]).map { $0 / $1 })
    print(
        name.padding(toLength: 12, withPad: " ", startingAt: 0)
            + String(format: "%12.0f %12.0f %12.2f", median(times[0]), median(times[1]), ratio))
}

/// Prints the time of the slowest of a few pages of each search, in milliseconds.
func measurePages(of journal: any Journal) async throws {
    var searches: [(String, PaymentQuery)] = [("all", PaymentQuery())]
    func add(_ name: String, _ set: (inout PaymentQuery) -> Void) {
        var query = PaymentQuery()
        set(&query)
        searches.append((name, query))
    }
    add("reference") { $0.merchantReference = "old-5" }
    add("prefix of few") { $0.merchantReferencePrefix = "old-77" }
    add("prefix of all") { $0.merchantReferencePrefix = "old-" }
    add("email") { $0.emailDigest = EmailDigest(of: "customer7@example.com") }
    add("card") { $0.cardLastFour = "0492" }
    add("amount") { $0.amounts = 10_000...10_000 }
    add("amounts") { $0.amounts = 10_000...20_000 }
    add("outcome") { $0.outcome = .declined }
    add("no such outcome") { $0.outcome = .voided }
    add("command, not indexed") { $0.command = .authorization }
    add("outcome and amounts") {
        $0.outcome = .declined
        $0.amounts = 10_000...400_000
    }
    add("needs attention") { $0.needsAttention = true }
    for (name, first) in searches {
        var (query, slowest) = (first, Duration.zero)
        for _ in 0..<5 {
            let start = ContinuousClock.now
            query.after = try await journal.search(query).next
            slowest = max(slowest, start.duration(to: .now))
        }
        let milliseconds = Double(slowest.components.attoseconds) / 1e15 + Double(slowest.components.seconds) * 1e3
        print(
            "  page, \(name)".padding(toLength: 36, withPad: " ", startingAt: 0)
                + String(format: "%8.1f ms", milliseconds))
    }
}

print("claim and settle of one payment, 16 at once; full is \(filling) payments; \(rounds) rounds\n")
print("            " + "    empty µs      full µs full / empty")

let folder = FileManager.default.temporaryDirectory.appending(path: "payrelay-growth-\(UUID().uuidString)")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }
try await measure(
    "SQLite", empty: SQLJournal(path: folder.appending(path: "empty.sqlite").path),
    full: SQLJournal(path: folder.appending(path: "full.sqlite").path))

if PostgresServer.isAvailable {
    let server = try PostgresServer.shared.get()
    try await measure(
        "PostgreSQL", empty: SQLJournal(url: server.emptySchema()),
        full: SQLJournal(url: server.emptySchema())
    )
}
