import Foundation
import JournalContract
import OutboundHTTP
import PaymentRelay
import SQLJournal
import SQLiteDriver
import TestPostgres
import TestPrograms
import Testing

/// `payrelay journal`, as operators run it.
@Suite struct JournalCommandTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path("journal.sqlite") }
    private var environment: [String: String] { ["PAYRELAY_JOURNAL": "sqlite:\(path)"] }

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test("R5: a backup that is killed leaves no file of its name, and the next one is whole", .timeLimit(.minutes(25)))
    func aKilledBackupIsMadeAgain() async throws {
        try await makeJournal()
        let backup = folder.path("backup.sqlite")
        try await kill(["journal", "backup", backup])
        #expect(!FileManager.default.fileExists(atPath: backup))
        let made = try await run(["journal", "backup", backup])
        let verified = try await run(["journal", "verify", backup])
        #expect(try digest(made) == digest(verified) && verified.hasSuffix("in order, and as it was backed up\n"))
        #expect(try await digest(run(["journal", "verify"])) == digest(made))
    }

    @Test("R5: a restore that is killed goes on, and no relay starts before it is finished", .timeLimit(.minutes(25)))
    func aKilledRestoreGoesOn() async throws {
        try await makeJournal()
        let backup = folder.path("backup.sqlite")
        let made = try await run(["journal", "backup", backup])
        let restored = folder.path("restored.sqlite")
        let settings = ["PAYRELAY_JOURNAL": "sqlite:\(restored)"]
        try await kill(["journal", "restore", backup], settings)
        let relay = try await RunningRelay.start(refusing: settings)
        #expect(relay.status != 0 && relay.text.contains("a copy into it is not finished"), "\(relay.text)")
        let text = try await run(["journal", "restore", backup], settings)
        #expect(try digest(text) == digest(made) && text.hasSuffix("restored\n"))
        // The second run has nothing to do.
        #expect(try await digest(run(["journal", "restore", backup], settings)) == digest(made))
    }

    @Test(
        "R5: a copy to PostgreSQL and one back that are killed go on, and every figure is equal",
        .enabled(if: PostgresServer.isAvailable, "PostgreSQL's server programs are not installed"),
        .timeLimit(.minutes(25)))
    func killedCopiesGoOn() async throws {
        try await makeJournal()
        let url = try PostgresServer.shared.get().emptyDatabase()
        let back = folder.path("back.sqlite")
        let before = try await run(["journal", "verify"])
        for (from, to) in [(path, url), (url, back)] {
            try await kill(["journal", "copy", from, to])
            let refused = try await RunningProgram.run(["journal", "verify", to])
            #expect(refused.status == 1 && refused.text.contains("not finished"), "\(refused.text)")
            // The server may take a moment to notice that the other session has ended.
            let text = try await run(["journal", "copy", from, to])
            #expect(text.hasSuffix("copied\n"))
            #expect(try figures(text) == figures(before))
            #expect(try await figures(run(["journal", "verify", to])) == figures(before))
        }
        #expect(try await run(["journal", "info", url]).contains("payments  \(Self.payments)"))
    }

    @Test("An operator's mistake changes nothing, and is reported")
    func refusesMistakes() async throws {
        _ = try await SQLJournal(path: path).claim(.sample("A", token: 1))
        let other = folder.path("other.sqlite")
        _ = try await SQLJournal(path: other).claim(.sample("B", token: 1))
        for journal in [path, other] { try waitUntilClosed(journal: journal) }
        try folder.file("text", "no journal")
        for (arguments, reason) in [
            (["copy", path, path], "onto itself"),
            (["copy", path, "sqlite:" + path], "onto itself"),
            (["copy", path, other], "the target is not empty"),
            (["copy", folder.path("gone"), other], "there is no such file"),
            (["copy", folder.path("text"), folder.path("new")], "cannot be used"),
            (["restore", other], "the target is not empty"),
            (["backup", other], "not overwritten"),
            (["backup", folder.path("gone/backup")], "No such file or directory"),
            (["verify", folder.path("text")], "cannot be used"),
            (["info", folder.path("gone")], "there is no such file"),
        ] {
            let (status, text) = try await RunningProgram.run(["journal"] + arguments, environment: environment)
            #expect(status == 1 && text.contains(reason), "\(arguments): \(text)")
        }
        #expect(try await SQLJournal(path: path).payment("A") != nil)
        #expect(try await SQLJournal(path: other).payment("B") != nil)
        #expect(try String(contentsOfFile: folder.path("text"), encoding: .utf8) == "no journal")
    }

    @Test("A relay's journal is backed up beside it, and not copied")
    func worksBesideARelay() async throws {
        let relay = try await RunningRelay()
        let backup = folder.path("backup.sqlite")
        _ = try await run(["journal", "backup", backup], relay.environment)
        #expect(try await run(["journal", "verify"], relay.environment).hasSuffix("in order\n"))
        #expect(try await run(["journal", "info"], relay.environment).contains("payments  none"))
        let copy = try await RunningProgram.run(["journal", "copy", relay.journalPath, folder.path("copy.sqlite")])
        #expect(copy.status == 1 && copy.text.contains("another payrelay process is using it"))
        let restore = try await RunningProgram.run(["journal", "restore", backup], environment: relay.environment)
        #expect(restore.status == 1 && restore.text.contains("another payrelay process is using it"))
        #expect(try await relay.admin("/ready").status == 200)
    }

    // MARK: - Commands

    private static let payments = 5_000

    /// Makes a journal that is too large to be copied in one part.
    private func makeJournal() async throws {
        _ = try await SQLJournal(path: path).claim(.sample("first", token: 1))
        try waitUntilClosed(journal: path)
        let columns = Schema.tables[0].columns.map(\.name).filter {
            !["merchant_reference", "token_digest"].contains($0)
        }.joined(separator: ", ")
        let history = (Schema.tables.first { $0.name == "history" }?.columns.map(\.name) ?? [])
            .filter { $0 != "merchant_reference" }.joined(separator: ", ")
        let work = (Schema.tables.first { $0.name == "work" }?.columns.map(\.name) ?? [])
            .filter { $0 != "merchant_reference" }.joined(separator: ", ")
        let numbers = "WITH RECURSIVE n (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM n LIMIT \(Self.payments - 1))"
        try SQLiteConnection(path: path).run(
            script: """
                BEGIN;
                \(numbers) INSERT INTO payment (merchant_reference, \(columns)) SELECT 'order-' || n, \(columns) FROM payment, n;
                \(numbers) INSERT INTO history (merchant_reference, \(history)) SELECT 'order-' || n, \(history) FROM history, n;
                \(numbers) INSERT INTO work (merchant_reference, \(work)) SELECT 'order-' || n, \(work) FROM work, n;
                COMMIT
                """)
    }

    private func run(_ arguments: [String], _ settings: [String: String]? = nil) async throws -> String {
        let program = try RunningProgram(arguments, environment: settings ?? environment)
        #expect(try await program.end(within: .seconds(300)) == 0, "\(program.text)")
        return program.text
    }

    /// Runs a command, and kills it with SIGKILL once it has copied a part.
    private func kill(_ arguments: [String], _ settings: [String: String]? = nil) async throws {
        let program = try RunningProgram(
            arguments, environment: (settings ?? environment).merging(["PAYRELAY_FAIL_POINT": "copying"]) { $1 })
        #expect(try await program.end() == -SIGKILL, "\(program.text)")
    }

    private func digest(_ text: String) throws -> Substring {
        try #require(text.split(separator: "\n").last { $0.hasPrefix("digest ") })
    }

    /// Returns the rows, totals and digest, without the progress.
    private func figures(_ text: String) throws -> Substring {
        let start = try #require(text.range(of: "TABLE")?.lowerBound)
        let end = try #require(text.range(of: "digest ")?.upperBound)
        return text[start...].prefix(through: text.index(end, offsetBy: 63))
    }
}
