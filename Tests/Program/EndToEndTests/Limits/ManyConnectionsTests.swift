import Foundation
import OutboundHTTP
import PayrelayPrimitives
import TestPrograms
import Testing

/// Ten thousand silent connections: other clients are served meanwhile, and each connection costs little memory.
@Suite struct ManyConnectionsTests {
    private static let count = isUnderSanitizer ? 1_000 : 10_000

    /// Whether the relay runs under a sanitizer. It then accepts connections so slowly that the system drops some, which a
    /// silent client does not notice, and its memory is mostly the sanitizer's.
    private static var isUnderSanitizer: Bool {
        ["ASAN_OPTIONS", "TSAN_OPTIONS"].contains { ProcessInfo.processInfo.environment[$0] != nil }
    }

    @Test(
        "S14: ten thousand silent connections take nothing from others",
        .enabled(if: OpenFiles.allow(count), "needs a hard limit of more open files"))
    func silentConnectionsTakeNothingFromOthers() async throws {
        let relay = try await RunningRelay([
            "PAYRELAY_HTTP_CONNECTIONS_MAX": "\(Self.count + 1_000)", "PAYRELAY_HTTP_HEAD_TIMEOUT_SECONDS": "3600",
            "PAYRELAY_HTTP_IDLE_TIMEOUT_SECONDS": "3600",
        ])
        #expect(try await relay.pay(Orders.body().json).outcome == "captured")
        let before = try relay.program.residentBytes
        let filesBefore = try relay.program.openFiles
        do {
            let connections = OpenConnections()
            // Only a few connections are opened at once, and connections that were not accepted within five seconds are
            // replaced: the system drops a connection beyond its backlog, and a client that sends nothing never notices it.
            var (nextAt, expected) = (ContinuousClock.now, 0)
            try await relay.program.wait(for: "connections to be taken", within: .seconds(900)) {
                let taken = try relay.program.openFiles - filesBefore
                if taken >= expected || ContinuousClock.now >= nextAt {
                    let more = min(100, max(0, Self.count - taken))
                    connections.open(more, to: relay.port)
                    expected = taken + more
                    nextAt = .now + .seconds(5)
                }
                return taken >= Self.count
            }
            for _ in 1...3 { #expect(try await relay.pay(Orders.body().json).outcome == "captured") }
            if !Self.isUnderSanitizer {
                #expect(try relay.program.residentBytes - before < Self.count * 65_536)
            }
            withExtendedLifetime(connections) {}
        }
        try await relay.program.wait(for: "their end", within: .seconds(300)) {
            try relay.program.openFiles < Self.count / 10
        }
        #expect(try await relay.pay(Orders.body().json).outcome == "captured")
    }
}

/// Connections to loopback that never send a byte.
private final class OpenConnections {
    private var descriptors: [Int32] = []

    var count: Int { descriptors.count }

    /// Begins to open `count` more connections, without waiting.
    func open(_ count: Int, to port: Int) {
        for _ in 0..<count {
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
            _ = sockaddr_in.loopback(port).withGenericAddress { connect(descriptor, $0, $1) }
            descriptors.append(descriptor)
        }
    }

    deinit { for descriptor in descriptors { close(descriptor) } }
}
