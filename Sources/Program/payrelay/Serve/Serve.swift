import ArgumentParser
import CommandLineParts
import Composition
import Glibc
import HTTPListener
import Logging
import ServiceLifecycle
import Settings

struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run the relay.",
        discussion: """
            Settings come from the environment (PAYRELAY_FORT_ACCESS_CODE, …), then from the file. A secret can come from a \
            file of its own: PAYRELAY_FORT_REQUEST_PHRASE_FILE. `payrelay config print` lists all of them with their values, \
            `payrelay config example` what each is for. See docs/configuration.md.
            """)

    @OptionGroup var options: ConfigurationOptions

    @Flag(help: .hidden)
    var untilInputEnds = false

    func run() async throws {
        if untilInputEnds { endWithInput() }
        // By default SIGHUP ends a process. It is ignored until the relay uses it for reloading.
        signal(SIGHUP, SIG_IGN)
        let configuration = try options.configuration()
        let telemetry = Telemetry.bootstrap(logLevel: configuration.logLevel, tracing: configuration.tracing)
        let logger = telemetry.logger
        let relay = RelayService(configuration: configuration, telemetry: telemetry) { port in
            logger.info("listening", metadata: ["host": "\(configuration.http.host)", "port": "\(port)"])
        }
        do {
            try await ServiceGroup(stoppingOnSignals: [relay], logger: logger).run()
        } catch let error as ConfigurationError {
            throw failure("the relay does not start: \(error)", status: .configuration)
        } catch {
            throw failure("the relay stopped: \(error)", status: .no)
        }
    }
}
