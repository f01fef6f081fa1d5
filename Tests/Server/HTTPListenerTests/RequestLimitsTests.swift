import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOHTTPTypes
import Synchronization
import Testing

@testable import HTTPListener

/// A connection in virtual time: ten seconds for the head, twenty for the body.
@Suite struct RequestLimitsTests {
    private let channel: EmbeddedChannel
    private let drain = Flag()

    private final class Flag: Sendable { let isSet = Atomic(false) }

    init() throws {
        let drain = drain
        channel = EmbeddedChannel(
            handler: RequestLimitsHandler(
                capacity: ListenerCapacity(
                    limits: ListenerLimits(), isDraining: { drain.isSet.load(ordering: .relaxed) })))
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    }

    private func receive(_ parts: HTTPRequestPart...) throws { receive(parts, on: channel) }

    private func receive(_ parts: [HTTPRequestPart], on channel: EmbeddedChannel) {
        for part in parts { channel.pipeline.fireChannelRead(part) }
        channel.pipeline.fireChannelReadComplete()
    }

    private func answer() throws {
        try channel.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .ok)))
        try channel.writeOutbound(HTTPResponsePart.end(nil))
    }

    private func pass(_ seconds: Int64) {
        channel.embeddedEventLoop.advanceTime(by: .seconds(seconds))
    }

    /// The status of each answer that was written.
    private func statuses() throws -> [Int] {
        var statuses: [Int] = []
        while let part = try channel.readOutbound(as: HTTPResponsePart.self) {
            if case .head(let response) = part { statuses.append(response.status.code) }
        }
        return statuses
    }

    /// A connection from this address to a listener with that capacity.
    private func connection(from address: String, _ capacity: ListenerCapacity) throws -> EmbeddedChannel {
        let channel = EmbeddedChannel(
            handlers: [ConnectionLimitHandler(capacity: capacity), RequestLimitsHandler(capacity: capacity)])
        channel.remoteAddress = try SocketAddress(ipAddress: address, port: 1)
        try channel.connect(to: SocketAddress(ipAddress: address, port: 1)).wait()
        return channel
    }

    @Test("The body of a request that has its response counts no more, whatever else its connection waits for")
    func answeredBodiesCountNoMore() throws {
        let capacity = capacity(bodyBytes: 100_000)
        let busy = try connection(from: "192.0.2.1", capacity)
        for number in 0..<20 {
            receive([Self.head, Self.body(bytes: 20_000), .end(nil)], on: busy)
            guard number > 0 else { continue }
            try busy.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .ok)))
            try busy.writeOutbound(HTTPResponsePart.end(nil))
        }
        let other = try connection(from: "192.0.2.2", capacity)
        receive([Self.head, Self.body], on: other)
        // Whoever is to make room is told on its event loop.
        for channel in [busy, other] { channel.embeddedEventLoop.run() }
        #expect(try other.readOutbound(as: HTTPResponsePart.self) == nil)
        #expect(other.isActive && busy.isActive)
    }

    private func capacity(bodyBytes: Int) -> ListenerCapacity {
        var limits = ListenerLimits()
        limits.bodyBytesTotal = bodyBytes
        return ListenerCapacity(limits: limits, isDraining: { false })
    }

    private static func body(bytes: Int) -> HTTPRequestPart { .body(ByteBuffer(repeating: 0x20, count: bytes)) }

    @Test("A body counts no more once its connection has ended, answered or not", arguments: [true, false])
    func bodiesOfEndedConnectionsCountNoMore(isWhole: Bool) throws {
        let capacity = capacity(bodyBytes: 100_000)
        for number in 1...9 {
            let gone = try connection(from: "192.0.2.1", capacity)
            receive([Self.head, Self.body(bytes: 60_000)], on: gone)
            if isWhole { receive([.end(nil)], on: gone) }
            #expect(try gone.readOutbound(as: HTTPResponsePart.self) == nil, "connection \(number)")
            try gone.close().wait()
            gone.embeddedEventLoop.run()
        }
        let other = try connection(from: "192.0.2.2", capacity)
        receive([Self.head, Self.body(bytes: 60_000)], on: other)
        other.embeddedEventLoop.run()
        #expect(try other.readOutbound(as: HTTPResponsePart.self) == nil)
    }

    @Test("A body that is to make room and has come to its end by then counts once")
    func aVictimThatIsWholeCountsOnce() throws {
        let capacity = capacity(bodyBytes: 25_000)
        let (first, second) = (try connection(from: "192.0.2.1", capacity), try connection(from: "192.0.2.1", capacity))
        receive([Self.head, Self.body(bytes: 10_000)], on: first)
        receive([Self.head, Self.body(bytes: 20_000)], on: second)
        receive([Self.body(bytes: 2_000), .end(nil)], on: first)
        first.embeddedEventLoop.run()
        try first.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .ok)))
        try first.writeOutbound(HTTPResponsePart.end(nil))
        // The second had to make room in its place, and now nothing counts.
        let third = try connection(from: "192.0.2.2", capacity)
        receive([Self.head, Self.body(bytes: 24_000)], on: third)
        third.embeddedEventLoop.run()
        #expect(try third.readOutbound(as: HTTPResponsePart.self) == nil)
        #expect(second.isActive)
    }

    @Test("S14: an incomplete body behind a request that is answered meanwhile makes room as any other")
    func aPipelinedBodyMakesRoom() throws {
        let capacity = capacity(bodyBytes: 100_000)
        let greedy = try connection(from: "192.0.2.1", capacity)
        // Nothing more comes of it.
        receive([Self.head, .end(nil), Self.head, Self.body(bytes: 60_000)], on: greedy)
        try greedy.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .ok)))
        try greedy.writeOutbound(HTTPResponsePart.end(nil))
        let other = try connection(from: "192.0.2.2", capacity)
        receive([Self.head, Self.body(bytes: 50_000)], on: other)
        for channel in [greedy, other] { channel.embeddedEventLoop.run() }
        #expect(!greedy.isActive)
        #expect(try other.readOutbound(as: HTTPResponsePart.self) == nil)
        #expect(other.isActive)
    }

    private static let head = HTTPRequestPart.head(
        HTTPRequest(method: .post, scheme: "http", authority: "a", path: "/v1/payments"))
    private static let body = HTTPRequestPart.body(ByteBuffer(string: "{"))

    @Test func closesAConnectionWithoutAHead() throws {
        pass(9)
        #expect(channel.isActive)
        pass(1)
        #expect(!channel.isActive)
        #expect(try statuses() == [])
    }

    @Test func answersASlowBodyWith408() throws {
        try receive(Self.head)
        for _ in 1...19 {
            pass(1)
            try receive(Self.body)
        }
        #expect(try statuses() == [])
        pass(1)
        #expect(try statuses() == [408])
        pass(2)
        #expect(!channel.isActive)
    }

    @Test func runsNoDeadlineWhileAResponseIsPending() throws {
        try receive(Self.head, Self.body, .end(nil))
        pass(3_600)
        #expect(channel.isActive)
        try answer()
        pass(3_600)
        #expect(try statuses() == [200])
        #expect(channel.isActive, "idle connections are another's business")
    }

    @Test func timesAPipelinedRequestAfterTheFirstResponse() throws {
        try receive(Self.head, .end(nil), Self.head, Self.body)
        pass(3_600)
        #expect(channel.isActive)
        try answer()
        pass(19)
        #expect(try statuses() == [200])
        pass(1)
        #expect(try statuses() == [408])
    }

    @Test func timesTheRestOfABodyThatWasAnsweredEarly() throws {
        try receive(Self.head)
        pass(10)
        try answer()
        try receive(Self.body)
        pass(9)
        #expect(channel.isActive)
        pass(1)
        #expect(!channel.isActive)
        #expect(try statuses() == [200], "it has its answer")
    }

    @Test func answersATooLargeHeadWith431() throws {
        channel.pipeline.fireErrorCaught(HTTPParserError.headerOverflow)
        #expect(try statuses() == [431])
        pass(2)
        #expect(!channel.isActive)
    }

    @Test func answersInputThatIsNotHTTPWith400() throws {
        channel.pipeline.fireErrorCaught(HTTPParserError.invalidMethod)
        #expect(try statuses() == [400])
        pass(2)
        #expect(!channel.isActive)
    }

    @Test func passesOtherErrorsOn() throws {
        channel.pipeline.fireErrorCaught(ChannelError.inputClosed)
        #expect(try statuses() == [])
        #expect(throws: ChannelError.inputClosed) { try channel.throwIfErrorCaught() }
    }

    /// The connection option of each answer that was written; nil for none.
    private func options() throws -> [String?] {
        var options: [String?] = []
        while let part = try channel.readOutbound(as: HTTPResponsePart.self) {
            if case .head(let response) = part { options.append(response.headerFields[.connection]) }
        }
        return options
    }

    @Test("a response says that the connection ends with it where the request asked for that (RFC 9112, 9.6)")
    func saysThatTheConnectionEnds() throws {
        try receive(Self.head, .end(nil))
        try answer()
        #expect(try options() == [nil])
        guard case .head(var request) = Self.head else { return }
        request.headerFields[.connection] = "close"
        try receive(Self.head, .end(nil), .head(request), .end(nil))
        try answer()
        #expect(try options() == [nil], "another response follows")
        try answer()
        #expect(try options() == ["close"])
    }

    @Test("a rejection says that the connection ends with it (RFC 9112, 9.6)")
    func rejectionsSayThatTheConnectionEnds() throws {
        channel.pipeline.fireErrorCaught(HTTPParserError.headerOverflow)
        #expect(try options() == ["close"])
    }

    @Test("a connection of a listener that closes soon ends with its next response, and says so")
    func endsConnectionsWhileItDrains() throws {
        drain.isSet.store(true, ordering: .relaxed)
        try receive(Self.head, .end(nil), Self.head, .end(nil))
        try answer()
        #expect(try options() == [nil], "what was sent before is answered")
        try answer()
        #expect(try options() == ["close"])
        try receive(Self.head, .end(nil))
        channel.pipeline.fireErrorCaught(HTTPParserError.invalidMethod)
        #expect(try statuses() == [], "nothing follows")
        pass(2)
        #expect(!channel.isActive)
    }

    @Test("a client that has its last response early may send the rest of its request")
    func readsTheRestWhileItDrains() throws {
        drain.isSet.store(true, ordering: .relaxed)
        try receive(Self.head)
        try channel.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .ok)))
        try receive(Self.body, .end(nil))
        for _ in 1...3 { #expect(try channel.readInbound(as: HTTPRequestPart.self) != nil) }
        try receive(Self.head)
        #expect(try channel.readInbound(as: HTTPRequestPart.self) == nil)
        try channel.writeOutbound(HTTPResponsePart.end(nil))
        #expect(try options() == ["close"])
    }

    /// A place that others need is free at once, though TLS waits for the client to agree, and though the client was just
    /// given its last answer.
    @Test("S14: a connection that is closed for others is closed beneath TLS", arguments: [false, true])
    func closesBeneathTLSForOthers(isRefused: Bool) throws {
        let channel = EmbeddedChannel()
        let capacity = ListenerCapacity(limits: ListenerLimits())
        let handler = ConnectionLimitHandler(capacity: capacity)
        try channel.pipeline.syncOperations.addHandlers([
            handler, ClosesNever(), RequestLimitsHandler(capacity: capacity),
        ])
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        if isRefused { channel.pipeline.fireErrorCaught(HTTPParserError.headerOverflow) }
        #expect(channel.isActive)
        handler.held?.end(for: .connection)
        channel.embeddedEventLoop.run()
        #expect(!channel.isActive)
    }

    @Test func readsNothingAfterARejection() throws {
        channel.pipeline.fireErrorCaught(HTTPParserError.headerOverflow)
        try receive(Self.head)
        channel.pipeline.fireErrorCaught(HTTPParserError.invalidVersion)
        #expect(try channel.readInbound(as: HTTPRequestPart.self) == nil)
        #expect(throws: ChannelError.self) { try answer() }
        #expect(try statuses() == [431])
    }

    /// The answer to the first request must not be taken for that to the second.
    @Test func rejectsAPipelinedHeadAfterTheFirstResponse() throws {
        try receive(Self.head, .end(nil))
        channel.pipeline.fireErrorCaught(HTTPParserError.headerOverflow)
        #expect(try statuses() == [])
        try answer()
        #expect(try statuses() == [200, 431])
        pass(2)
        #expect(!channel.isActive)
    }

    @Test func rejectsAPipelinedBodyAfterTheFirstResponse() throws {
        try receive(Self.head, .end(nil), Self.head, Self.body)
        channel.pipeline.fireErrorCaught(HTTPParserError.invalidChunkSize)
        #expect(try statuses() == [])
        try answer()
        #expect(try statuses() == [200, 400])
    }

    @Test func closesAClientThatDoesNotReadItsResponse() throws {
        try receive(Self.head, .end(nil))
        channel.isWritable = false
        channel.pipeline.fireChannelWritabilityChanged()
        pass(19)
        #expect(channel.isActive)
        pass(1)
        #expect(!channel.isActive)
    }

    @Test func keepsAClientThatReadsInTime() throws {
        try receive(Self.head, .end(nil))
        for isWritable in [false, true] {
            channel.isWritable = isWritable
            channel.pipeline.fireChannelWritabilityChanged()
            pass(19)
        }
        pass(60)
        #expect(channel.isActive)
    }
}

/// A TLS whose client does not answer its close_notify.
private final class ClosesNever: ChannelOutboundHandler {
    typealias OutboundIn = HTTPResponsePart

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {}
}
