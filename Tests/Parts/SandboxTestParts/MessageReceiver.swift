import Hummingbird
import NIOCore
import Synchronization

/// A merchant's server that takes the messages of a gateway, for as long as a test needs it.
package final class MessageReceiver: Sendable {
    package struct Received: Sendable {
        package let path: String
        package let contentType: String?
        package let body: [UInt8]
    }

    private let messages = Mutex<[Received]>([])
    private let status: @Sendable (Int) -> Int
    private let text: String

    /// - Parameters:
    ///   - text: the body of its answers.
    ///   - status: of the answer to the n-th message, from 1.
    package init(with text: String = "", answering status: @escaping @Sendable (Int) -> Int) {
        self.status = status
        self.text = text
    }

    package var received: [Received] { messages.withLock { $0 } }

    /// Waits until this many messages have arrived; the suite's time limit ends the waiting.
    package func wait(for count: Int) async throws {
        while received.count < count { try await Task.sleep(for: .milliseconds(5)) }
    }

    /// Runs it on a free port, then the test.
    package func serve(_ test: @Sendable (_ base: String) async throws -> Void) async throws {
        let router = Router()
        router.post("**") { [self] request, _ in
            let body = try await request.body.collect(upTo: 65_536)
            let message = Received(
                path: request.uri.path, contentType: request.headers[.contentType],
                body: Array(body.readableBytesView))
            let number = messages.withLock {
                $0.append(message)
                return $0.count
            }
            return Response(
                status: .init(code: status(number)), body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
        }
        try await RunningService.with { logger, onListening in
            Application(
                router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
                onServerRunning: { onListening($0.localAddress?.port ?? 0) }, logger: logger)
        } test: { port in
            try await test("http://127.0.0.1:\(port)")
        }
    }
}
