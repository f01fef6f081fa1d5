import ArgumentParser
import CommandLineParts
import Composition
import Foundation
import HTTPListener
import OutboundHTTP
import PayrelayPrimitives

struct Healthcheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Check the health of the relay on this machine.",
        discussion: """
            For a container's HEALTHCHECK and for scripts. It queries the admin listener of PAYRELAY_ADMIN_HOST and \
            PAYRELAY_ADMIN_PORT, and prints the answer.

            Exit status: 0 it is healthy, 1 it is not or does not answer.
            """)

    @OptionGroup var options: ConfigurationOptions

    @Flag(help: "Check readiness (/ready) instead of liveness (/live).")
    var ready = false

    @Option(
        help: ArgumentHelp("How long to wait for an answer.", valueName: "duration"),
        transform: { try TimeSpan(parsing: $0) })
    var timeout: TimeSpan = "3s"

    func validate() throws { _ = try timeout.wholeSeconds("--timeout", in: 1...60) }

    func run() async throws {
        let (admin, usesTLS) = try options.adminListener()
        let host = admin.host.has(":") ? "[\(admin.host)]" : admin.host
        let url = "\(usesTLS ? "https" : "http")://\(host):\(admin.port)\(ready ? "/ready" : "/live")"
        // The certificate is not verified: it is for a name, while the listener is queried at an address. It may
        // also have expired, which a restart would not change, or its file may have been renewed but not reloaded
        // yet.
        let client = OutboundClient(OutboundSettings(isHealthProbe: true))
        defer { client.shutdown() }
        let answer: OutboundAnswer
        do throws(NoAnswer) {
            answer = try await client.send(
                OutboundRequest(
                    method: .get, url: url, connectTimeout: timeout.value, timeout: timeout.value)
            ).get()
        } catch {
            throw failure("\(url): \(error)", status: .no)
        }
        say(String(decoding: answer.body, as: UTF8.self))
        if answer.status != 200 {
            throw failure("\(url): it answered \(answer.status)", status: .no)
        }
    }
}
