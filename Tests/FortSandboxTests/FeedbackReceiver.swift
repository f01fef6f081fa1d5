import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle
import Synchronization

/// A merchant's server that takes feedback, for as long as a test needs it.
final class FeedbackReceiver: Sendable {
    struct Received: Sendable {
        let path: String
        let contentType: String?
        let body: [UInt8]
    }

    private let messages = Mutex<[Received]>([])
    private let status: @Sendable (Int) -> Int

    /// - Parameter status: the answer to the n-th message, from 1.
    init(answering status: @escaping @Sendable (Int) -> Int) {
        self.status = status
    }

    var received: [Received] { messages.withLock { $0 } }

    /// Waits until this many messages have arrived; the suite's time limit ends the waiting.
    func wait(for count: Int) async throws {
        while received.count < count { try await Task.sleep(for: .milliseconds(5)) }
    }

    /// Runs it on a free port, then the test.
    func serve(_ test: (_ base: String) async throws -> Void) async throws {
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
            return Response(status: .init(code: status(number)))
        }
        let (ports, listening) = AsyncStream.makeStream(of: Int.self)
        let logger = Logger(label: "receiver") { _ in SwiftLogNoOpLogHandler() }
        let application = Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: {
                listening.yield($0.localAddress?.port ?? 0)
                listening.finish()
            }, logger: logger)
        let group = ServiceGroup(configuration: .init(services: [.init(service: application)], logger: logger))
        try await withThrowingTaskGroup { tasks in
            tasks.addTask {
                defer { listening.finish() }
                try await group.run()
            }
            for await port in ports { try await test("http://127.0.0.1:\(port)") }
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
    }
}
