import HTTPTypes
import HummingbirdCore
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Synchronization
import TestPrograms
import Testing

@testable import HTTPListener

/// A connection whose requests are answered with `200` and their path and body, unless a test says otherwise.
@Suite struct RequestHandlerTests {
    private func connection(
        respond: @escaping RequestHandler.Respond = { request, _ in
            guard let body = try? await request.body.collect(upTo: 1_000) else { return Response(status: .badRequest) }
            return Response(
                status: .ok,
                body: ResponseBody(byteBuffer: ByteBuffer(string: request.uri.path + " " + String(buffer: body))))
        }
    ) async throws -> (NIOAsyncTestingChannel, Passed) {
        let passed = Passed()
        let channel = NIOAsyncTestingChannel()
        try await channel.testingEventLoop.executeInContext {
            let pipeline = channel.pipeline.syncOperations
            try pipeline.addHandler(passed.reads)
            try pipeline.addHandler(RequestHandler(executor: nil, respond: respond))
            try pipeline.addHandler(passed.events)
        }
        try await channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1))
        return (channel, passed)
    }

    private func receive(_ parts: HTTPRequestPart..., by channel: NIOAsyncTestingChannel) async throws {
        try await channel.testingEventLoop.executeInContext {
            for part in parts { channel.pipeline.fireChannelRead(part) }
            channel.pipeline.fireChannelReadComplete()
        }
    }

    /// The status and the body of the next response.
    private func response(of channel: NIOAsyncTestingChannel) async throws -> String {
        var text = ""
        while true {
            switch try await channel.waitForOutboundWrite(as: HTTPResponsePart.self) {
            case .head(let head): text += "\(head.status.code) "
            case .body(let body): text += String(buffer: body)
            case .end: return text
            }
        }
    }

    private static func head(_ path: String, _ fields: HTTPFields = [:]) -> HTTPRequestPart {
        .head(HTTPRequest(method: .post, scheme: "http", authority: "a", path: path, headerFields: fields))
    }

    private static func body(_ text: String) -> HTTPRequestPart { .body(ByteBuffer(string: text)) }

    @Test func answersRequestsInTheirOrder() async throws {
        let (channel, _) = try await connection()
        try await receive(
            Self.head("/1"), Self.body("a"), .end(nil), Self.head("/2"), .end(nil), Self.head("/3"), Self.body("c"),
            by: channel)
        #expect(try await response(of: channel) == "200 /1 a")
        #expect(try await response(of: channel) == "200 /2 ")
        try await receive(.end(nil), by: channel)
        #expect(try await response(of: channel) == "200 /3 c")
    }

    @Test func beginsToAnswerBeforeTheBodyIsThere() async throws {
        let (channel, _) = try await connection()
        try await receive(Self.head("/1"), by: channel)
        try await receive(Self.body("a"), by: channel)
        try await receive(Self.body("b"), .end(nil), by: channel)
        #expect(try await response(of: channel) == "200 /1 ab")
    }

    @Test func dropsTheRestOfABodyThatWasNotWaitedFor() async throws {
        let (channel, _) = try await connection { request, _ in
            Response(status: request.uri.path == "/1" ? .unauthorized : .ok)
        }
        try await receive(Self.head("/1"), Self.body("a"), by: channel)
        #expect(try await response(of: channel) == "401 ")
        try await receive(Self.body("b"), .end(nil), Self.head("/2"), .end(nil), by: channel)
        #expect(try await response(of: channel) == "200 ")
    }

    @Test(arguments: [0, 1])
    func aBodyWithoutItsEndIsNone(pieces: Int) async throws {
        let (channel, passed) = try await connection()
        try await channel.testingEventLoop.executeInContext {
            channel.pipeline.fireChannelRead(Self.head("/1"))
            for _ in 0..<pieces { channel.pipeline.fireChannelRead(Self.body("a")) }
            channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        }
        #expect(try await response(of: channel) == "400 ")
        // What closes the connection waits for the response.
        try await channel.testingEventLoop.executeInContext {}
        #expect(passed.events.hasInputClosed)
    }

    @Test("A client that does not read its responses gets no more of them, and no more is read from it")
    func answersNoMoreThanIsRead() async throws {
        let (channel, passed) = try await connection()
        func set(isWritable: Bool) async throws {
            channel.isWritable = isWritable
            try await channel.testingEventLoop.executeInContext { channel.pipeline.fireChannelWritabilityChanged() }
        }
        try await set(isWritable: false)
        for path in ["/1", "/2"] { try await receive(Self.head(path), .end(nil), by: channel) }
        let before = passed.reads.count
        try await channel.testingEventLoop.executeInContext { channel.pipeline.read() }
        #expect(passed.reads.count == before)
        #expect(try await channel.readOutbound(as: HTTPResponsePart.self) == nil)
        try await set(isWritable: true)
        #expect(try await response(of: channel) == "200 /1 ")
        #expect(try await response(of: channel) == "200 /2 ")
        try await channel.testingEventLoop.executeInContext {}
        #expect(passed.reads.count > before)
    }

    @Test("A client that has closed its side, and asks more than one read brings, is closed")
    func closesWhoFillsTheMemory() async throws {
        let gate = Gate()
        let (channel, _) = try await connection { _, _ in
            await gate.wait()
            return Response(status: .ok)
        }
        try await channel.testingEventLoop.executeInContext {
            for _ in 0..<2_000 {
                channel.pipeline.fireChannelRead(Self.head("/"))
                channel.pipeline.fireChannelRead(HTTPRequestPart.end(nil))
            }
        }
        try await channel.testingEventLoop.executeInContext {}
        #expect(!channel.isActive)
        gate.open()
    }

    @Test("After some requests in a row the event loop's other connections have their turn")
    func restsBetweenManyRequests() async throws {
        let (channel, _) = try await connection { _, _ in Response(status: .ok) }
        try await channel.testingEventLoop.executeInContext {
            for _ in 0..<40 {
                channel.pipeline.fireChannelRead(Self.head("/"))
                channel.pipeline.fireChannelRead(HTTPRequestPart.end(nil))
            }
            channel.pipeline.fireChannelReadComplete()
        }
        for answered in [16, 16, 8] {
            for _ in 0..<answered { #expect(try await response(of: channel) == "200 ") }
            for _ in 0..<1_000 { try await channel.testingEventLoop.executeInContext {} }
            #expect(try await channel.readOutbound(as: HTTPResponsePart.self) == nil)
            await channel.testingEventLoop.advanceTime(by: .milliseconds(1))
        }
    }

    @Test func readsNoMoreWhileMuchWaits() async throws {
        let gate = Gate()
        let (channel, passed) = try await connection { _, _ in
            await gate.wait()
            return Response(status: .ok)
        }
        for _ in 0..<5 { try await receive(Self.head("/"), .end(nil), by: channel) }
        let before = passed.reads.count
        try await channel.testingEventLoop.executeInContext { channel.pipeline.read() }
        #expect(passed.reads.count == before)
        gate.open()
        for _ in 0..<5 { #expect(try await response(of: channel) == "200 ") }
        try await channel.testingEventLoop.executeInContext {}
        #expect(passed.reads.count > before)
    }

    @Test func readsNoMoreOfABodyThatIsNotTaken() async throws {
        let gate = Gate()
        let (channel, passed) = try await connection { request, _ in
            await gate.wait()
            let body = try? await request.body.collect(upTo: 1_000)
            return Response(status: .ok, body: ResponseBody(byteBuffer: body ?? ByteBuffer()))
        }
        try await receive(Self.head("/"), by: channel)
        for _ in 0..<4 { try await receive(Self.body("a"), by: channel) }
        let before = passed.reads.count
        try await channel.testingEventLoop.executeInContext { channel.pipeline.read() }
        #expect(passed.reads.count == before)
        try await receive(.end(nil), by: channel)
        gate.open()
        #expect(try await response(of: channel) == "200 aaaa")
        try await channel.testingEventLoop.executeInContext {}
        #expect(passed.reads.count > before)
    }

    @Test func sendsNothingAfterTheLastResponse() async throws {
        let (channel, _) = try await connection()
        try await receive(
            Self.head("/1", [.connection: "close"]), .end(nil), Self.head("/2"), .end(nil), by: channel)
        #expect(try await response(of: channel) == "200 /1 ")
        try await channel.testingEventLoop.executeInContext {}
        #expect(try await channel.readOutbound(as: HTTPResponsePart.self) == nil)
    }

    @Test func asksForABodyOnceItIsWanted() async throws {
        let (channel, _) = try await connection { request, channel in
            channel.triggerUserOutboundEvent(BodyWanted(), promise: nil)
            let body = try? await request.body.collect(upTo: 1_000)
            return Response(status: .ok, body: ResponseBody(byteBuffer: body ?? ByteBuffer()))
        }
        try await receive(Self.head("/", [.expect: "100-continue"]), by: channel)
        let first = try await channel.waitForOutboundWrite(as: HTTPResponsePart.self)
        #expect(first == .head(HTTPResponse(status: .continue)))
        try await receive(Self.body("a"), .end(nil), by: channel)
        #expect(try await response(of: channel) == "200 a")
    }

    @Test func aClientThatLeavesEndsWhatIsSentToIt() async throws {
        let (ended, end) = AsyncStream.makeStream(of: Bool.self)
        let (channel, _) = try await connection { _, _ in
            Response(
                status: .ok,
                body: ResponseBody { writer in
                    try await writer.write(ByteBuffer(string: "a"))
                    try? await Task.sleep(for: .seconds(600))
                    end.yield(Task.isCancelled)
                })
        }
        try await receive(Self.head("/"), .end(nil), by: channel)
        _ = try await channel.waitForOutboundWrite(as: HTTPResponsePart.self)
        _ = try await channel.waitForOutboundWrite(as: HTTPResponsePart.self)
        try await channel.close()
        #expect(await ended.first { _ in true } == true)
    }

    @Test func aBodyThatCannotBeMadeEndsTheConnectionWithoutItsEnd() async throws {
        struct Failure: Error {}
        let (channel, _) = try await connection { _, _ in
            Response(
                status: .ok,
                body: ResponseBody { writer in
                    try await writer.write(ByteBuffer(string: "a"))
                    throw Failure()
                })
        }
        try await receive(Self.head("/"), .end(nil), by: channel)
        try await channel.closeFuture.get()
        var parts: [HTTPResponsePart] = []
        while let part = try await channel.readOutbound(as: HTTPResponsePart.self) { parts.append(part) }
        #expect(parts.count == 2)
    }
}

/// What goes past the handler on either side.
private final class Passed: Sendable {
    final class Reads: ChannelOutboundHandler, Sendable {
        typealias OutboundIn = HTTPResponsePart
        private let counted = Atomic(0)
        var count: Int { counted.load(ordering: .relaxed) }

        func read(context: ChannelHandlerContext) {
            counted.add(1, ordering: .relaxed)
            context.read()
        }
    }

    final class Events: ChannelInboundHandler, Sendable {
        typealias InboundIn = HTTPRequestPart
        private let isInputClosed = Atomic(false)
        var hasInputClosed: Bool { isInputClosed.load(ordering: .relaxed) }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if event as? ChannelEvent == .inputClosed { isInputClosed.store(true, ordering: .relaxed) }
        }
    }

    let reads = Reads()
    let events = Events()
}
