import ArgumentParser
import CommandLineParts
import Foundation
import OutboundHTTP
import PayrelayPrimitives
import SandboxParts
import UnixSignals

struct LoadTestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "loadtest",
        abstract: "Load a relay at a constant rate, and report what its customers would see.",
        discussion: """
            Payments are sent on a schedule that does not wait for answers, and latency counts from when a payment was due: a \
            stall shows in every payment that was due meanwhile. Each payment has a token of its own, minted before the clock \
            starts. Without --target, a relay and a sandbox are started for the run, each as a process of its own, and the \
            sandbox's books are compared with what the relay answered.

            Exit status: 0 every payment was captured or authorized and the books are equal, 1 otherwise.
            """)

    @Option(help: "Payments a second. With --saturate, where the search begins.")
    var rate = 500.0

    @Option(
        help: ArgumentHelp("How long, for example 30s or 10m. With --saturate, of each step.", valueName: "duration"),
        transform: { try TimeSpan(parsing: $0) })
    var duration: TimeSpan = "30s"

    @Option(
        help: "The gateway to pay at. Given several times, payments take turns.",
        completion: .list(GatewaySandboxes.names))
    var gateway: [String] = [GatewaySandboxes.names[0]]

    @Option(help: "A folder with tokens, or with whole bodies of POST /v1/payments, one .json file each.")
    var tokens: String?

    @Option(help: "A relay that runs already, for example http://127.0.0.1:8080. It has to trust the tokens.")
    var target: String?

    @Option(help: "With --target: its sandbox, whose books are to be read. They must be empty.")
    var sandbox: String?

    @Option(help: "How many payments may be in flight at once. One that is due beyond that is left out and counted.")
    var connections = 512

    @Option(
        help: ArgumentHelp(
            "The time that the sandbox takes for each payment, for example 1500ms. In place of faults, and not with --soak.",
            valueName: "duration"),
        transform: { try TimeSpan(parsing: $0) })
    var gatewayLatency: TimeSpan?

    @Option(help: "Write the report to this HTML file.", completion: .file(extensions: ["html"]))
    var report: String?

    @Flag(help: "Search for the highest rate at which the 99th percentile stays within --limit.")
    var saturate = false

    @Option(
        help: ArgumentHelp(
            "With --saturate: how long the 99th percentile may be, for example 50ms.", valueName: "duration"),
        transform: { try TimeSpan(parsing: $0) })
    var limit: TimeSpan = "50ms"

    @Flag(
        help:
            "Inject faults in the sandbox for three tenths of the time. Fail unless the relay's memory, descriptors and latency end where they began."
    )
    var soak = false

    @Flag(help: "Print the result as JSON.")
    var json = false

    func validate() throws {
        guard rate > 0, rate.isFinite else { throw UsageError("--rate must be more than 0") }
        guard gateways.count == gateway.count else {
            throw UsageError("--gateway must be one of \(GatewaySandboxes.names.joined(separator: ", "))")
        }
        guard Set(gateway).count == gateway.count else {
            throw UsageError("--gateway names a gateway twice")
        }
        guard duration.value > .zero else { throw UsageError("--duration must be more than 0") }
        guard (1...10_000).contains(connections) else {
            throw UsageError("--connections must be 1 to 10000")
        }
        guard target == nil || target?.ends(with: "/") == false else {
            throw UsageError("--target must not end in a slash: /v1/payments is added")
        }
        guard sandbox == nil || target != nil else { throw UsageError("--sandbox needs --target") }
        if gatewayLatency != nil {
            guard !soak else { throw UsageError("--gateway-latency and --soak exclude each other") }
            guard target == nil || sandbox != nil else {
                throw UsageError("--gateway-latency with --target needs --sandbox")
            }
        }
        if soak {
            guard target == nil else {
                throw UsageError("--soak and --target exclude each other: --soak measures the relay's process")
            }
            guard !saturate else { throw UsageError("--soak and --saturate exclude each other") }
        }
    }

    private var gateways: [LoadedGateway] {
        gateway.compactMap { name in GatewaySandboxes.loaded.first { $0.name == name } }
    }

    func run() async throws {
        allowDescriptors(for: connections)
        let result: LoadReport
        do {
            result = try await untilInterrupted { try await load() }
        } catch let error as ExitCode {
            throw error
        } catch is CancellationError {
            throw failure("interrupted; stopping the processes that were started", status: .no)
        } catch {
            throw failure("\(error)", status: .no)
        }
        say(json ? result.json.formatted() : result.summary)
        if let report { try write(result.html, to: report) }
        if !result.failures.isEmpty { throw ExitCode(ExitStatus.no.rawValue) }
    }

    private func load() async throws -> LoadReport {
        let folder = try LoadTestFolder()
        let servers = target == nil ? try await LoadTestServers(in: folder) : nil
        // Offers HTTP/2, as phones do. The relay never ends a response with an empty frame.
        let client = OutboundClient(OutboundSettings(offersHTTP2: true, inFlightLimit: connections))
        defer {
            client.shutdown()
            servers?.stop()
        }
        let session = LoadSession(
            client: client, target: target ?? servers?.relayAddress ?? "", sandbox: sandbox ?? servers?.sandboxAddress,
            ownServers: servers != nil, gateways: gateways, process: servers?.relay.processIdentifier,
            connections: connections, tokenFolder: tokens, gatewayLatency: gatewayLatency?.value,
            name: "LOAD-\(UInt32.random(in: .min ... .max))", spoolFolder: folder.path, machine: .current(),
            onProgress: LoadTestProgress().show)
        guard saturate else {
            return try await session.run(rate: rate, duration: duration.value, soaks: soak)
        }
        return try await session.saturate(startingAt: rate, duration: duration.value, p99Limit: limit.value)
    }

    private func write(_ html: String, to file: String) throws {
        do {
            try Data(html.utf8).write(to: URL(filePath: file))
        } catch {
            throw failure("\(file) cannot be written: \(error.localizedDescription)", status: .no)
        }
    }

    /// Raises the limit of open files. Each payment in flight needs a descriptor here and two in a relay that is
    /// started from here.
    private func allowDescriptors(for connections: Int) {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(resource, &limit) == 0 else { return }
        limit.rlim_cur = min(limit.rlim_max, max(limit.rlim_cur, rlim_t(2 * connections + 256)))
        setrlimit(resource, &limit)
    }
}

/// Runs the work until it ends or a signal asks to stop. In the latter case, cancels the work and waits for it,
/// so that it can clean up.
private func untilInterrupted<Result: Sendable>(
    _ work: @escaping @Sendable () async throws -> Result
) async throws -> Result {
    let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
    return try await withThrowingTaskGroup(of: Result?.self) { group in
        group.addTask { try await work() }
        group.addTask {
            for await _ in signals { return nil }
            return nil
        }
        defer { group.cancelAll() }
        while let ended = try await group.next() {
            if let ended { return ended }
            throw CancellationError()
        }
        throw CancellationError()
    }
}
