import Foundation

// What the sandbox costs beside the relay that is measured against it. Give the path of a payrelay that was built for release.
let program = CommandLine.arguments.dropFirst().first ?? ".build/release/payrelay"
let count = CommandLine.arguments.dropFirst(2).first.flatMap { Int($0) } ?? 10_000
let connections = 32
let port = Int.random(in: 20_000..<30_000)
let endpoint = "http://127.0.0.1:\(port)/FortAPI/paymentApi"

let sandbox = try await Server(
    program, ["sandbox", "--port", "\(port)"], probe: "http://127.0.0.1:\(port)/_sandbox/faults")
let relay = try await Server(
    program, ["serve"],
    environment: Payments.settings.merging([
        "PAYRELAY_FORT_ENDPOINT": endpoint, "PAYRELAY_HTTP_PORT": "\(port + 1)",
        "PAYRELAY_ADMIN_PORT": "\(port + 2)", "PAYRELAY_JOURNAL": "memory:",
        "PAYRELAY_TOKEN_TRUST_ANCHOR_FILE": "certs/sandbox/root-ca.pem", "PAYRELAY_LOG_LEVEL": "error",
    ]) { $1 },
    probe: "http://127.0.0.1:\(port + 2)/ready")

print("\(count) purchases over \(connections) kept-alive connections; processor time per request, of each process\n")
print("| | requests/s | sandbox µs | relay µs |\n|---|---|---|---|")

/// Measures one way to pay and prints its row.
@MainActor func measure(_ name: String, _ bodies: [[UInt8]], to url: String, expecting expected: String) async throws {
    // Connections, caches and lazy tables are there before the clock starts.
    _ = try await post(
        Array(bodies.prefix(count / 10)), to: url, connections: connections, expecting: expected)
    let before = (try sandbox.processorSeconds, try relay.processorSeconds)
    let measured = Array(bodies.dropFirst(count / 10))
    let duration = try await post(measured, to: url, connections: connections, expecting: expected)
    let after = (try sandbox.processorSeconds, try relay.processorSeconds)
    let rate = Double(measured.count) / (duration / .seconds(1))
    let cost = [after.0 - before.0, after.1 - before.1].map { Int($0 * 1e6 / Double(measured.count)) }
    print("| \(name) | \(Int(rate)) | \(cost[0]) | \(cost[1]) |")
}

defer {
    relay.stop()
    sandbox.stop()
}
let total = count + count / 10
try await measure("sandbox alone", Payments.forSandbox(total), to: endpoint, expecting: #""14000""#)
try await measure(
    "relay in front of it, journal in memory", Payments.forRelay(total),
    to: "http://127.0.0.1:\(port + 1)/v1/payments", expecting: #""captured""#)
