import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import NIOPosix
import Synchronization
import Testing

@testable import HTTPListener

/// Connections of one event loop whose requests arrive faster than they are answered.
@Suite struct RequestTurnsTests {
    private let get = "GET /a HTTP/1.1\r\nHost: a\r\n\r\n"

    /// An event loop that reads its sockets when the test says so.
    private final class Loop {
        private var round: (() -> Void)?
        private(set) lazy var turns = RequestTurns { [unowned self] in round = $0 }

        var isRoundDue: Bool { round != nil }

        func readSockets() {
            let round = self.round
            self.round = nil
            round?()
        }
    }

    private func connections(_ count: Int, from address: String, _ loop: Loop) throws -> [TestConnection] {
        let capacity = ListenerCapacity(limits: ListenerLimits())
        return try (0..<count).map { _ in try TestConnection(capacity, from: address, turns: loop.turns) }
    }

    private func begun(_ connections: [TestConnection]) throws -> Int {
        try connections.reduce(0) { try $0 + heads($1) }
    }

    private func heads(_ connection: TestConnection) throws -> Int {
        var heads = 0
        while let part = try connection.channel.readInbound(as: HTTPRequestPart.self) {
            if case .head = part { heads += 1 }
        }
        return heads
    }

    @Test(
        "R15: a request from another address begins in the next round, whatever number of connections one address has")
    func sharesRoundsAmongNetworks() throws {
        let loop = Loop()
        let flood = try connections(200, from: "192.0.2.1", loop)
        let other = try connections(1, from: "198.51.100.1", loop)
        for connection in flood { connection.send(get) }
        other[0].send(get)
        #expect(try begun(flood) == RequestTurns.atOnce)
        #expect(try begun(other) == 0)
        loop.readSockets()
        #expect(try begun(other) == 1)
        #expect(try begun(flood) == RequestTurns.atOnce - 1)
    }

    @Test("each waiting request begins once, in the order in which the requests came, and then no round is due")
    func beginsEachOnce() throws {
        let loop = Loop()
        let all = try connections(100, from: "192.0.2.1", loop)
        for connection in all { connection.send(get) }
        var begun = 0
        while loop.isRoundDue {
            begun += try self.begun(all)
            #expect(try self.begun(Array(all.prefix(begun))) == 0)
            loop.readSockets()
        }
        begun += try self.begun(all)
        #expect(begun == 100)
    }

    @Test("pipelined requests of one connection take turns with other connections")
    func countsPipelinedRequests() throws {
        let loop = Loop()
        let pipelining = try connections(1, from: "192.0.2.1", loop)[0]
        let other = try connections(1, from: "198.51.100.1", loop)
        pipelining.send(String(repeating: get, count: 100))
        var answered = 0
        while try heads(pipelining) == 1 {
            pipelining.answer()
            answered += 1
        }
        #expect(answered == RequestTurns.atOnce)
        other[0].send(get)
        loop.readSockets()
        #expect(try begun(other) == 1)
        #expect(try heads(pipelining) == 1)
    }

    @Test("a connection that is closed while it waits takes no turn")
    func skipsClosedConnections() throws {
        let loop = Loop()
        let all = try connections(RequestTurns.atOnce * 3, from: "192.0.2.1", loop)
        for connection in all { connection.send(get) }
        for connection in all[RequestTurns.atOnce..<(RequestTurns.atOnce * 2)] { connection.handlers.connection.cut() }
        #expect(try begun(all) == RequestTurns.atOnce)
        loop.readSockets()
        #expect(try begun(Array(all.suffix(RequestTurns.atOnce))) == RequestTurns.atOnce)
        #expect(!loop.isRoundDue)
    }

    @Test("a round of a real event loop runs after everything that the loop could do without reading its sockets")
    func waitsForTheLoopToRead() async throws {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let order = try await loop.submit {
            let order = NIOLoopBoundBox([String](), eventLoop: loop)
            let done = loop.makePromise(of: [String].self)
            RequestTurns.onEventLoop(loop).runAfterNextRead {
                order.value.append("round")
                done.succeed(order.value)
            }
            @Sendable func work(_ left: Int) {
                order.value.append("work")
                // A timer that is due does not make the loop read either.
                loop.assumeIsolated().scheduleTask(in: .nanoseconds(1)) { order.value.append("timer") }
                if left > 1 { loop.execute { work(left - 1) } }
            }
            work(100)
            return done.futureResult
        }.flatMap { $0 }.get()
        #expect(order.count { $0 == "work" } == 100 && order.last == "round")
    }
}
