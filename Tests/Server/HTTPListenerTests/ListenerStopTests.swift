import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle
import Synchronization
import TestPrograms
import Testing

@testable import HTTPListener

/// The stop of a listener whose requests are not counted, such as the admin listener.
@Suite(.timeLimit(.minutes(25))) struct ListenerStopTests {
    private final class Flag: Sendable { let isSet = Atomic(false) }

    @Test("a stop waits for no answer that is not read, and gives none a second patience")
    func stopsWithAnAnswerThatIsNotRead() async throws {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let responder = CallbackResponder<BasicRequestContext> { _, _ in
            Response(
                status: .ok,
                body: ResponseBody { writer in
                    begin.yield()
                    while true { try await writer.write(ByteBuffer(repeating: UInt8(ascii: "x"), count: 65_536)) }
                })
        }
        let interrupted = Flag()
        let (ports, listening) = AsyncStream.makeStream(of: Int.self)
        let service = ListenerService(
            responder, at: ListenerAddress(host: "127.0.0.1", port: 0),
            capacity: ListenerCapacity(limits: ListenerLimits()), patience: .zero,
            interrupt: { interrupted.isSet.store(true, ordering: .relaxed) },
            onListening: { listening.yield($0) }, logger: logger)
        let group = ServiceGroup(configuration: .init(services: [service], logger: logger))
        try await withThrowingTaskGroup { tasks in
            tasks.addTask { try await group.run() }
            guard let port = await ports.first(where: { _ in true }) else { return }
            let connection = try RawConnection(port: port)
            connection.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            _ = await begun.first { _ in true }
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
            #expect(!connection.hasNothingToRead)
        }
        let wasInterrupted = interrupted.isSet.load(ordering: .relaxed)
        #expect(!wasInterrupted)
    }
}
