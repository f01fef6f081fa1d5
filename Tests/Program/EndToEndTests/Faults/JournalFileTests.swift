import Foundation
import OutboundHTTP
import PayrelayPrimitives
import Testing

/// The journal's file is deleted, replaced, opened twice or readable by others while the relay runs.
@Suite struct JournalFileTests {
    @Test(
        "S12, S16: while a file of the journal is gone the relay is not ready and charges nothing",
        arguments: ["", "-wal", "-shm"])
    func aDeletedJournalFileIsNotReadyAndNothingIsCharged(suffix: String) async throws {
        let relay = try await RunningRelay()
        let paid = Orders.reference()
        #expect(try await relay.pay(Orders.body(paid).json).outcome == "captured")
        let away = relay.journalPath + ".away"
        try FileManager.default.moveItem(atPath: relay.journalPath + suffix, toPath: away)
        let order = try Orders.body().json
        try await Self.expectNoCharge(of: order, at: relay, reason: "the file is gone")

        try FileManager.default.moveItem(atPath: away, toPath: relay.journalPath + suffix)
        try await relay.waitUntilReady(true)
        #expect(try await relay.pay(order).outcome == "captured")
        relay.program.signal(SIGKILL)
        try await relay.program.end()
        let next = try await RunningRelay(after: relay)
        #expect(try await next.get("/v1/payments/\(paid)").outcome == "captured")
    }

    @Test(
        "S12, S16: after a file of the journal was replaced nothing is charged until a restart",
        arguments: ["", "-wal", "-shm"])
    func aReplacedJournalFileIsNotReadyUntilARestart(suffix: String) async throws {
        let relay = try await RunningRelay()
        #expect(try await relay.pay(Orders.body().json).outcome == "captured")
        let other = relay.journalPath + ".other"
        try FileManager.default.copyItem(atPath: relay.journalPath + suffix, toPath: other)
        #expect(rename(other, relay.journalPath + suffix) == 0)
        try await Self.expectNoCharge(
            of: Orders.body().json, at: relay, reason: "the file was replaced by another one")
        relay.program.signal(SIGTERM)
        #expect(try await relay.program.end() == 0)
    }

    @Test func anAnsweredPaymentSurvivesTheDeletionOfTheWAL() async throws {
        let relay = try await RunningRelay()
        let paid = Orders.reference()
        #expect(try await relay.pay(Orders.body(paid).json).outcome == "captured")
        try FileManager.default.removeItem(atPath: relay.journalPath + "-wal")
        try await Self.expectNoCharge(of: Orders.body().json, at: relay, reason: "the file is gone")
        relay.program.signal(SIGKILL)
        try await relay.program.end()
        let next = try await RunningRelay(after: relay)
        #expect(try await next.get("/v1/payments/\(paid)").outcome == "captured")
        #expect(try await next.pay(Orders.body().json).outcome == "captured")
    }

    @Test func anAnsweredPaymentSurvivesTheDeletionOfTheWALAndItsIndex() async throws {
        let relay = try await RunningRelay()
        let paid = Orders.reference()
        #expect(try await relay.pay(Orders.body(paid).json).outcome == "captured")
        for suffix in ["-wal", "-shm"] { try FileManager.default.removeItem(atPath: relay.journalPath + suffix) }
        try await Self.expectNoCharge(of: Orders.body().json, at: relay, reason: "the file is gone")
        relay.program.signal(SIGKILL)
        try await relay.program.end()
        let next = try await RunningRelay(after: relay)
        #expect(try await next.get("/v1/payments/\(paid)").outcome == "captured")
    }

    @Test("S12: without its file a journal is not begun anew, and its content is there once the file is back")
    func aLostJournalIsNotBegunAnew() async throws {
        let relay = try await RunningRelay()
        let paid = Orders.reference()
        #expect(try await relay.pay(Orders.body(paid).json).outcome == "captured")
        relay.program.signal(SIGKILL)
        try await relay.program.end()
        let away = relay.journalPath + ".away"
        try FileManager.default.moveItem(atPath: relay.journalPath, toPath: away)
        let log = try relay.writeAheadLogSize
        #expect(log > 0)
        let second = try await RunningProgram.run(
            ["serve"],
            environment: relay.environment.merging(["PAYRELAY_HTTP_PORT": "0", "PAYRELAY_ADMIN_PORT": "0"]) { $1 })
        #expect(second.status == 1 && second.text.contains("the file is gone, and there was one"), "\(second.text)")
        #expect(try relay.writeAheadLogSize == log)
        #expect(!FileManager.default.fileExists(atPath: relay.journalPath))

        try FileManager.default.moveItem(atPath: away, toPath: relay.journalPath)
        let next = try await RunningRelay(after: relay)
        #expect(try await next.get("/v1/payments/\(paid)").outcome == "captured")
    }

    /// It is still the file to which the relay writes, but without the relay's content.
    @Test(
        "S12, S16: after a file of the journal was truncated or overwritten nothing is charged",
        arguments: [
            ("", 0, "cut short"), ("", 4_096, "cut short"), ("-wal", 0, "cut short"), ("-wal", 32, "cut short"),
            ("-wal", nil, "written over"), ("", nil, "written over"),
        ] as [(String, UInt64?, String)])
    func aTruncatedOrOverwrittenJournalFileIsNotReady(
        suffix: String, length: UInt64?, reason: String
    ) async throws {
        let relay = try await RunningRelay()
        #expect(try await relay.pay(Orders.body().json).outcome == "captured")
        let file = try FileHandle(forUpdating: URL(filePath: relay.journalPath + suffix))
        if let length {
            try file.truncate(atOffset: length)
        } else {
            try file.write(contentsOf: Data(count: 32))
        }
        try file.close()
        try await Self.expectNoCharge(of: Orders.body().json, at: relay, reason: reason)
    }

    @Test func aSecondProcessCannotOpenTheJournalUnderAnyName() async throws {
        let relay = try await RunningRelay()
        let names = ["linked.sqlite", "hard.sqlite"].map {
            URL(filePath: relay.journalPath).deletingLastPathComponent().appending(path: $0).path
        }
        try FileManager.default.createSymbolicLink(atPath: names[0], withDestinationPath: relay.journalPath)
        try FileManager.default.linkItem(atPath: relay.journalPath, toPath: names[1])
        for name in [relay.journalPath] + names {
            let second = try await RunningProgram.run(
                ["serve"],
                environment: relay.environment.merging([
                    "PAYRELAY_JOURNAL": "sqlite:\(name)", "PAYRELAY_HTTP_PORT": "0",
                    "PAYRELAY_ADMIN_PORT": "0",
                ]) { $1 })
            #expect(
                second.status == 1 && second.text.contains("another payrelay process is using it"), "\(second.text)")
        }
        #expect(try await relay.pay(Orders.body().json).outcome == "captured")
    }

    @Test func theJournalsFilesHaveMode0600WhateverTheUmask() async throws {
        let relay = try await RunningRelay(launcher: ["/bin/sh", "-c", "umask 0; exec \"$@\"", "sh"])
        #expect(try await relay.pay(Orders.body().json).outcome == "captured")
        for suffix in ["", "-wal", "-shm", ".lock"] {
            #expect(try Self.mode(of: relay.journalPath + suffix) == 0o600, "\(suffix)")
        }
        #expect(!relay.program.text.contains("open to more than its owner"))
        relay.program.signal(SIGTERM)
        #expect(try await relay.program.end() == 0)

        #expect(chmod(relay.journalPath, 0o644) == 0)
        let next = try await RunningRelay(after: relay)
        try await next.program.wait(toPrint: "open to more than its owner")
        #expect(try Self.mode(of: relay.journalPath) == 0o644)
    }

    @Test func concurrentReadinessProbesShareOneDurabilityCheck() async throws {
        let relay = try await RunningRelay()
        let start = ContinuousClock.now
        for _ in 0..<20 {
            let statuses = try await withThrowingTaskGroup { group in
                for _ in 0..<10 { group.addTask { try await relay.admin("/ready").status } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.allSatisfy { $0 == 200 })
        }
        let seconds = Int(start.duration(to: .now).components.seconds)
        let trials = try await relay.metric(
            #"payrelay_journal_duration_seconds_count{operation="check_durability"}"#)
        #expect(try #require(trials) <= seconds + 2)
    }

    private static func expectNoCharge(of order: JSON, at relay: RunningRelay, reason: String) async throws {
        try await relay.waitUntilReady(false)
        #expect(try await relay.admin("/ready").json?["journal"] == "down")
        for _ in 1...2 {
            let answer = try await relay.pay(order)
            #expect(answer.status == 503 && answer.problem == "journal-unavailable")
        }
        #expect(try await relay.sandbox.books().count == 1)
        try await relay.program.wait(toPrint: reason)
    }

    private static func mode(of path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
}
