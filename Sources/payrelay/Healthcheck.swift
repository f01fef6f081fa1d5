import ArgumentParser
import Foundation
import HTTPListener
import OutboundHTTP
import Composition

struct Healthcheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Ask the relay on this machine whether it is well.",
        discussion: """
            For a container's HEALTHCHECK and for scripts. It asks the admin listener that PAYRELAY_ADMIN_HOST and \
            PAYRELAY_ADMIN_PORT name and prints what it answers.

            Exit status: 0 it is well, 1 it is not or does not answer.
            """)

    @OptionGroup var options: ConfigurationOptions

    @Flag(help: "Ask whether it can take payments (/ready) instead of whether it is alive (/live).")
    var ready = false

    @Option(help: "How long to wait for an answer, in seconds.")
    var timeout = 3

    func validate() throws {
        guard (1...60).contains(timeout) else { throw ValidationError("--timeout must be from 1 to 60") }
    }

    func run() async throws {
        let admin = try options.adminListener()
        let host = admin.host.contains(":") ? "[\(admin.host)]" : admin.host
        let url = "http://\(host):\(admin.port)\(ready ? "/ready" : "/live")"
        let client = OutboundClient()
        defer { client.shutdown() }
        do throws(OutboundFailure) {
            let answer = try await client.send(
                OutboundRequest(
                    method: .get, url: url, connectTimeout: .seconds(timeout), timeout: .seconds(timeout)))
            say(String(decoding: answer.body, as: UTF8.self))
            if answer.status != 200 { throw OutboundFailure.noAnswer(reason: "it answered \(answer.status)") }
        } catch {
            throw failure("\(url): \(error)", status: .no)
        }
    }
}
