import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle
import TestPrograms
import Testing

@testable import HTTPListener

/// Bodies of unknown length over HTTP/1.0, which end with the connection.
@Suite(.timeLimit(.minutes(25))) struct CloseDelimitedBodyTests {
    private static let request = "GET /1 HTTP/1.0\r\n\r\n"
    private static let piece = 65_536
    private static let pieces = 64

    private struct BrokenOff: Error {}

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// - Parameter isWhole: Whether the body is complete.
    private func listen(
        isWhole: Bool, certificate: ListenerCertificate? = nil,
        _ use: @escaping @Sendable (_ port: Int) async throws -> Void
    ) async throws {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let responder = CallbackResponder<BasicRequestContext> { _, _ in
            Response(
                status: .ok,
                body: ResponseBody { writer in
                    for _ in 1...Self.pieces {
                        try await writer.write(ByteBuffer(repeating: UInt8(ascii: "x"), count: Self.piece))
                    }
                    guard isWhole else { throw BrokenOff() }
                    try await writer.finish(nil)
                })
        }
        let (ports, listening) = AsyncStream.makeStream(of: Int.self)
        let service = ListenerService(
            responder, at: ListenerAddress(host: "127.0.0.1", port: 0),
            capacity: ListenerCapacity(limits: ListenerLimits()), certificate: certificate, patience: .zero,
            onListening: { listening.yield($0) }, logger: logger)
        let group = ServiceGroup(configuration: .init(services: [service], logger: logger))
        try await withThrowingTaskGroup { tasks in
            tasks.addTask {
                defer { listening.finish() }
                try await group.run()
            }
            for await port in ports {
                do { try await use(port) } catch { Issue.record(error) }
                await group.triggerGracefulShutdown()
                break
            }
            try await tasks.waitForAll()
        }
    }

    private static func hasWholeBody(_ response: some Collection<UInt8>) -> Bool {
        let length = pieces * piece
        return response.count > length && response.suffix(length).allSatisfy { $0 == UInt8(ascii: "x") }
    }

    @Test("a body that breaks off ends with a reset, and a whole one does not", arguments: [true, false])
    func resetsWhatBreaksOff(isWhole: Bool) async throws {
        try await listen(isWhole: isWhole) { port in
            let (text, isReset) = try await RawConnection.onThread(port: port) { connection in
                connection.send(Self.request)
                var isReset = false
                let text = connection.read(isReset: &isReset)
                return (text, isReset)
            }
            #expect(isReset == !isWhole)
            #expect(!isWhole || Self.hasWholeBody(Array(text.utf8)))
        }
    }

    /// The client fails if the connection ends without close_notify.
    @Test(
        "under TLS, a body that breaks off ends without close_notify (RFC 9112, 9.8)",
        .enabled(if: (try? shell("command -v openssl")) != nil), arguments: [true, false])
    func doesNotSayThatItIsTheEnd(isWhole: Bool) async throws {
        let files = TLSFiles(certificateFile: folder.path("certificate.pem"), keyFile: folder.path("key.pem"))
        try await onThread {
            try shell(
                """
                openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=test \
                -keyout '\(files.keyFile)' -out '\(files.certificateFile)'
                """)
        }
        try await listen(isWhole: isWhole, certificate: ListenerCertificate(files)) { port in
            let client = try await onThread {
                try FinishedProgram(
                    ["openssl", "s_client", "-quiet", "-connect", "127.0.0.1:\(port)"],
                    input: Data(Self.request.utf8))
            }
            #expect(client.succeeded == isWhole)
            #expect(!isWhole || Self.hasWholeBody(client.output))
        }
    }
}
