import OutboundHTTP
import SandboxParts

/// A load test from its settings to its report: prepares payments, sends them, and compares the books with the
/// responses.
struct LoadSession: Sendable {
    /// The progress of a session.
    enum Progress: Sendable {
        /// The payments are being prepared: the number that is ready, and the total.
        case preparing(Int, of: Int)
        /// The load is running.
        case running(LoadRecording)
        /// A step of the search for the highest rate has ended.
        case step(SaturationStep)
        /// The load has ended, and the books are being read.
        case auditing
    }

    /// Why a run cannot start.
    struct SetupError: Error, CustomStringConvertible {
        let description: String
    }

    /// The relay's address, such as `http://127.0.0.1:8080`.
    var target: String
    /// The address of the sandbox, whose books are read afterwards; `nil` if the relay uses another gateway.
    var sandbox: String?
    /// Whether the relay and the sandbox were started for this session.
    var ownServers: Bool
    /// The gateways at which payments are made, in turn; never empty.
    var gateways: [LoadedGateway]
    /// The relay's process, which is measured each second; `nil` if it is not on this machine.
    var process: Int32?
    var connections: Int
    /// The folder with a merchant's own tokens; `nil` if tokens are minted.
    var tokenFolder: String?
    /// How long the sandbox takes for each request; `nil` for no delay. Requires ``sandbox``.
    var gatewayLatency: Duration?
    /// The prefix of the payments' references, which must be new for each session.
    var name: String
    /// A folder with about 4 KB of free space for each payment.
    var spoolFolder: String
    var machine: Machine
    /// Called on any thread.
    var onProgress: @Sendable (Progress) -> Void

    private let client: OutboundClient

    /// The number of payments that the sandbox's books hold. In a longer run, the books would drop the first
    /// payments.
    private static let paymentsMax = 1_000_000
    /// How long the relay may take to resolve uncertain payments if no faults were injected.
    private static let patience = Duration.seconds(90)

    /// - Parameter client: a client that allows at least as many requests in flight as there are connections.
    init(
        client: OutboundClient, target: String, sandbox: String?, ownServers: Bool, gateways: [LoadedGateway],
        process: Int32?, connections: Int, tokenFolder: String?, gatewayLatency: Duration? = nil, name: String,
        spoolFolder: String, machine: Machine, onProgress: @escaping @Sendable (Progress) -> Void
    ) {
        self.client = client
        self.target = target
        self.sandbox = sandbox
        self.ownServers = ownServers
        self.gateways = gateways
        self.process = process
        self.connections = connections
        self.tokenFolder = tokenFolder
        self.gatewayLatency = gatewayLatency
        self.name = name
        self.spoolFolder = spoolFolder
        self.machine = machine
        self.onProgress = onProgress
    }

    /// Makes one run at one rate.
    ///
    /// - Parameter soaks: whether faults are injected for some of the time, and whether it is checked that the
    ///   relay's resource usage ends where it began.
    /// - Throws: ``SetupError``, ``CannedPaymentsError``, `CancellationError`, or an error that describes itself.
    func run(rate: Double, duration: Duration, soaks: Bool = false) async throws -> LoadReport {
        let faults = soaks ? sandboxFaults.map { SoakFaults(sandbox: $0) } : nil
        let run = try await measure(rate: rate, duration: duration, name: name, faults: faults)
        // A request that the sandbox dropped is resolved only when the relay accepts "no such order" as final,
        // which takes longer.
        var report = try await report(
            on: run, rate: rate, duration: duration, verdicts: run.verdicts,
            patience: faults == nil ? Self.patience : .seconds(300))
        if soaks { report.drift = SteadyState(of: run.recording, usage: run.usage).drift }
        report.meetsFaults = faults != nil
        return report
    }

    /// Searches for the highest rate at which the 99th percentile of the latency stays within a limit, in runs of
    /// this duration.
    ///
    /// - Returns: the report on the best run, or on the last run if none passed.
    /// - Throws: the same errors as `run`.
    func saturate(startingAt rate: Double, duration: Duration, p99Limit: Duration) async throws -> LoadReport {
        var search = SaturationSearch(startingAt: rate)
        var saturation = Saturation(p99Limit: p99Limit)
        var verdicts: [[String: PaymentVerdict?]] = gateways.map { _ in [:] }
        var shown: (run: Run, rate: Double)?
        while let rate = search.next {
            let run = try await measure(rate: rate, duration: duration, name: "\(name)-\(saturation.steps.count)")
            let step = SaturationStep(of: run.recording, passed: run.recording.carries(p99Within: p99Limit))
            search.record(rate: rate, passed: step.passed)
            saturation.steps.append(step)
            for turn in gateways.indices { verdicts[turn].merge(run.verdicts[turn]) { $1 } }
            if search.best == nil || search.best == rate { shown = (run, rate) }
            onProgress(.step(step))
        }
        guard let shown else { throw SetupError(description: "no step was measured") }
        saturation.best = search.best
        var report = try await report(on: shown.run, rate: shown.rate, duration: duration, verdicts: verdicts)
        report.saturation = saturation
        return report
    }

    private struct Run {
        var recording: LoadRecording
        var usage: [ProcessUsage]
        /// The CPU time of this process during the run, on all cores.
        var ownTime: Duration
        var preparation: Duration
        /// The verdicts by gateway and reference.
        var verdicts: [[String: PaymentVerdict?]]
    }

    private func measure(
        rate: Double, duration: Duration, name: String, faults: SoakFaults? = nil
    ) async throws -> Run {
        let schedule = ArrivalSchedule(rate: rate, duration: duration)
        guard schedule.count <= Self.paymentsMax else {
            throw SetupError(
                description: "\(schedule.count) payments are more than a run may have (\(Self.paymentsMax))")
        }
        let begun = ContinuousClock.now
        let payments = try await payments(for: schedule, name: name)
        let preparation = begun.duration(to: .now)
        if let gatewayLatency { try await sandboxFaults?.delay(by: gatewayLatency) }
        let generator = LoadGenerator(target: target, client: client, connections: connections)
        let watch = ProcessWatch(of: process)
        let timeBefore = ProcessUsage.ownCPUTime
        async let faultsInjected: Void? = faults?.accompany(duration)
        let recording = await watch.during {
            await generator.run(payments, on: schedule, turns: gateways.count) { onProgress(.running($0)) }
        }
        let ownTime = ProcessUsage.ownCPUTime - timeBefore
        try await faultsInjected
        if gatewayLatency != nil { try await sandboxFaults?.clear() }
        try Task.checkCancellation()
        let verdicts = gateways.indices.map { recording.verdicts(ofTurn: $0, payments.references) }
        return Run(
            recording: recording, usage: watch.usage, ownTime: ownTime, preparation: preparation, verdicts: verdicts)
    }

    private var sandboxFaults: SandboxFaults? {
        sandbox.map { SandboxFaults(client: client, address: $0, gateways: gateways) }
    }

    private func payments(for schedule: ArrivalSchedule, name: String) async throws -> CannedPayments {
        let currencies = gateways.map(\.currency)
        if let tokenFolder {
            return try .fromFiles(
                in: tokenFolder, for: schedule, name: name, spoolFolder: spoolFolder, currencies: currencies)
        }
        return try await .minted(
            for: schedule, name: name, in: spoolFolder, cores: machine.cores, currencies: currencies
        ) { onProgress(.preparing($0, of: schedule.count)) }
    }

    private func report(
        on run: Run, rate: Double, duration: Duration, verdicts: [[String: PaymentVerdict?]],
        patience: Duration = Self.patience
    ) async throws -> LoadReport {
        var audits: [BooksAudit] = []
        if let sandbox {
            onProgress(.auditing)
            let books = BooksClient(client: client, relay: target, sandbox: sandbox, patience: patience)
            for (gateway, verdicts) in zip(gateways, verdicts) {
                audits.append(try await books.audit(verdicts, at: gateway))
            }
        }
        let settings = LoadSettings(
            target: target, ownServers: ownServers, gateways: gateways.map(\.name), rate: rate,
            duration: duration, connections: connections, tokenFolder: tokenFolder, gatewayLatency: gatewayLatency,
            preparation: run.preparation)
        return LoadReport(
            settings: settings, machine: machine, recording: run.recording, audits: audits, usage: run.usage,
            ownTime: run.ownTime)
    }
}
