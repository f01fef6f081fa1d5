import Foundation
import PayrelayPrimitives
import TestPrograms
import Testing

/// `payrelay-dev loadtest` as a user runs it, at a low rate.
@Suite struct LoadTestCommandTests {
    @Test func aRunStartsItsOwnServersAndEndsWithEqualBooks() async throws {
        let folder = try TemporaryFolder()
        let report = folder.url.appending(path: "report.html").path
        let program = try RunningProgram([
            "loadtest", "--rate", "20", "--duration", "2s", "--json", "--report", report,
        ])
        #expect(try await program.end() == 0, "\(program.text)")
        let json = try #require(program.json)
        #expect(json["success"] == true)
        #expect(json["settings"]?["own_servers"] == true)
        #expect(json["payments"] == 40)
        #expect(json["successes"] == 40)
        #expect(json["outcomes"] == ["captured": 40])
        #expect(json["errors"] == [:])
        #expect(json["books"] == ["equal": true, "payments": 40, "charges": 40, "differences": []])
        let due = json["timeline"]?.arrayValue?.compactMap { $0["due"] }
        #expect(due?.compactMap(Self.number).reduce(0, +) == 40)
        let percentiles = ["p50", "p90", "p99", "p99.9", "p99.99", "max"]
            .compactMap { json["latency_ms"]?[$0].flatMap(Self.number) }
        #expect(percentiles.count == 6 && percentiles.first ?? 0 > 0)
        #expect(percentiles == percentiles.sorted())

        let html = try String(contentsOfFile: report, encoding: .utf8)
        #expect(html.hasPrefix("<!DOCTYPE html>") && html.hasSuffix("</html>"))
        // The report is self-contained: it loads nothing and runs no script.
        for foreign in ["<script", "<link", "<img", "src=", "url(", "@import"] { #expect(!html.contains(foreign)) }
    }

    @Test func gatewaysTakeTurnsAndTheBooksOfEachAreCompared() async throws {
        let program = try RunningProgram([
            "loadtest", "--rate", "20", "--duration", "2s", "--json", "--gateway", "portmone", "--gateway", "fort",
        ])
        #expect(try await program.end() == 0, "\(program.text)")
        let json = try #require(program.json)
        #expect(json["settings"]?["gateways"] == ["portmone", "fort"])
        #expect(json["books"] == ["equal": true, "payments": 40, "charges": 40, "differences": []])
        for name in ["portmone", "fort"] {
            let share = json["gateways"]?[name]
            #expect(share?["payments"] == 20 && share?["successes"] == 20, "\(name)")
            #expect(share?["latency_ms"]?["p99"].flatMap(Self.number) ?? 0 > 0, "\(name)")
        }
    }

    @Test func aGatewayThatIsPaidAtAloneIsTheOnlyOneInTheReport() async throws {
        let (status, text) = try await RunningProgram.run([
            "loadtest", "--rate", "20", "--duration", "1s", "--gateway", "portmone",
        ])
        #expect(status == 0, "\(text)")
        #expect(text.contains("20 in the sandbox's books of portmone") && !text.contains("fort"))
    }

    @Test func aRelayAndASandboxThatRunAlreadyAreNotSaidToBeStartedForTheRun() async throws {
        let relay = try await RunningRelay()
        let program = try RunningProgram([
            "loadtest", "--target", "http://127.0.0.1:\(relay.port)", "--sandbox",
            "http://127.0.0.1:\(relay.sandbox.port)", "--rate", "20", "--duration", "1s", "--json",
        ])
        #expect(try await program.end() == 0, "\(program.text)")
        let json = try #require(program.json)
        #expect(json["settings"]?["own_servers"] == false)
        #expect(json["books"] == ["equal": true, "payments": 20, "charges": 20, "differences": []])
    }

    @Test func aRelayThatAnswersNoPaymentIsAFailure() async throws {
        let dead = try LoopbackSocket()
        let (status, text) = try await RunningProgram.run([
            "loadtest", "--target", "http://127.0.0.1:\(dead.port)", "--rate", "10", "--duration", "1s",
        ])
        #expect(status == 1)
        #expect(text.contains("10 of 10 payments were no success"))
        #expect(text.contains("not sent: Couldn't connect to server"))
    }

    @Test func aFolderWithTooFewTokensIsNamed() async throws {
        let folder = try TemporaryFolder()
        let (status, text) = try await RunningProgram.run([
            "loadtest", "--target", "http://127.0.0.1:1", "--tokens", folder.url.path, "--duration", "1s",
        ])
        #expect(status == 1)
        #expect(text.contains("holds 0 files whose names end in .json, and the run needs 500"))
    }

    @Test(arguments: [
        ["--rate", "0"], ["--duration", "5"], ["--duration", "0s"], ["--connections", "0"], ["--soak", "--saturate"],
        ["--gateway", "stripe"], ["--gateway", "fort", "--gateway", "fort"],
        ["--target", "http://127.0.0.1:1/"], ["--sandbox", "http://127.0.0.1:1"],
    ]) func contradictoryOptionsAreWrongUsage(arguments: [String]) async throws {
        #expect(try await RunningProgram.run(["loadtest"] + arguments).status == 64)
    }

    #if os(Linux)
    @Test func anInterruptedRunLeavesNoServersAndNoFilesBehind() async throws {
        let folder = try TemporaryFolder()
        let (program, servers) = try await Self.loadUnderWay(in: folder)
        program.signal(SIGINT)
        #expect(try await program.end() == 1)
        #expect(program.text.contains("interrupted"))
        for server in servers { #expect(kill(server, 0) != 0) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    @Test func aKilledRunLeavesNoServersBehindEither() async throws {
        let folder = try TemporaryFolder()
        let (program, servers) = try await Self.loadUnderWay(in: folder)
        program.signal(SIGKILL)
        #expect(try await program.end() == -SIGKILL)
        let deadline = ContinuousClock.now + .seconds(300)
        while servers.contains(where: Self.isRunning), ContinuousClock.now < deadline {
            try await Task.sleep(for: .milliseconds(20))
        }
        for server in servers { #expect(!Self.isRunning(server)) }
    }

    /// - Parameter folder: The folder for temporary files of the load test and its servers.
    private static func loadUnderWay(
        in folder: TemporaryFolder
    ) async throws -> (program: RunningProgram, servers: [pid_t]) {
        let program = try RunningProgram(
            ["loadtest", "--rate", "20", "--duration", "1m"], environment: ["TMPDIR": folder.path])
        try await program.wait(for: "the load") { program.text.contains("payments ended") }
        var servers: [pid_t] = []
        try await program.wait(for: "both servers") {
            servers = try Self.servers(of: program.processIdentifier)
            return servers.count == 2
        }
        return (program, servers)
    }

    /// A zombie has no command line (proc(5)).
    private static func isRunning(_ process: pid_t) -> Bool {
        (try? String(contentsOfFile: "/proc/\(process)/cmdline", encoding: .utf8))?.isEmpty == false
    }

    /// Returns the servers that this process started (proc(5)), without a sanitizer's symbolizer.
    private static func servers(of process: pid_t) throws -> [pid_t] {
        let threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")
        // A thread may have ended meanwhile.
        return threads.flatMap { thread in
            ((try? String(contentsOfFile: "/proc/\(process)/task/\(thread)/children", encoding: .utf8)) ?? "")
                .split(separator: " ").compactMap { pid_t($0) }
        }
        .filter { process in
            let name = try? String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8)
            return name == "payrelay\n" || name == "payrelay-dev\n"
        }
    }
    #endif

    private static func number(_ json: JSON) -> Double? {
        if case .number(let text) = json { Double(text) } else { nil }
    }
}

extension RunningProgram {
    /// The JSON in the output, after the lines of progress.
    fileprivate var json: JSON? {
        guard let start = text.range(of: "\n{")?.lowerBound else { return nil }
        return try? JSON(parsing: String(text[start...]))
    }
}
