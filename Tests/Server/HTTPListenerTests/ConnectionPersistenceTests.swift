import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import HTTPListener

/// The handlers between a connection's bytes and the parts of its requests.
@Suite struct ConnectionPersistenceTests {
    private static let last = [
        "GET /1 HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
        "POST /1 HTTP/1.0\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\n{}",
        "GET /1 HTTP/1.1\r\nHost: a\r\nConnection: close\t\r\n\r\n",
        "GET /1 HTTP/1.1\r\nHost: a\r\nConnection: x, close\r\n\r\n",
        "POST /1 HTTP/1.1\r\nHost: a\r\nConnection: close\t\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
        "GET /1 HTTP/1.1\r\nHost: a\r\nProxy-Connection: close\r\n\r\n",
        // The decoder reads nothing behind these requests.
        "GET /1 HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n",
        "GET /1 HTTP/1.1\r\nHost: a\r\nProxy-Connection: x, Upgrade\r\nUpgrade: x\r\n\r\n",
        "POST /1 HTTP/1.1\r\nHost: a\r\nUpgrade: x\r\nConnection: Upgrade\r\nContent-Length: 2\r\n\r\n{}",
        "CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n",
        // The bytes behind this request are not its body.
        "CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\nContent-Length: 1000000000\r\n\r\n",
    ]

    /// - Parameter isGated: Whether the decoder gets the bytes of each request separately, as in production.
    private func connection(isGated: Bool = true, _ use: (EmbeddedChannel, DecoderInput) throws -> Void) throws {
        let made = ConnectionHandlers(
            capacity: ListenerCapacity(limits: ListenerLimits()), turns: RequestTurns(atOnce: .max) { _ in })
        let input = DecoderInput()
        var handlers: [any ChannelHandler] = [input, ByteToMessageHandler(HTTPRequestDecoder()), made.rules]
        if isGated { handlers.insert(made.gate, at: 0) }
        handlers.insert(made.connection, at: 0)
        let channel = EmbeddedChannel(handlers: handlers)
        defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
        try use(channel, input)
    }

    /// Returns the number of heads and of ends of requests that were read.
    private func read(from channel: EmbeddedChannel) throws -> [Int] {
        var (heads, ends) = (0, 0)
        while let part = try channel.readInbound(as: HTTPServerRequestPart.self) {
            switch part {
            case .head: heads += 1
            case .body: break
            case .end: ends += 1
            }
        }
        return [heads, ends]
    }

    @Test("nothing behind the request that ends the connection is read, or kept (RFC 9112, 9.6)", arguments: Self.last)
    func readsNothingBehindTheLastRequest(request: String) throws {
        try connection { channel, input in
            try channel.writeInbound(ByteBuffer(string: request + request))
            #expect(try read(from: channel) == [1, 1])
            for _ in 0..<64 { try channel.writeInbound(ByteBuffer(repeating: 0x20, count: 1_000_000)) }
            #expect(try read(from: channel) == [0, 0])
            #expect(input.bytes == request.utf8.count)
        }
    }

    @Test("a request that the decoder has already read is not answered after the last one", arguments: Self.last)
    func passesNothingOnBehindTheLastRequest(request: String) throws {
        try connection(isGated: false) { channel, _ in
            try channel.writeInbound(ByteBuffer(string: request + request + "x"))
            #expect(try read(from: channel) == [1, 1])
        }
    }

    @Test("an expectation over HTTP/1.0 is ignored (RFC 9110, 10.1.1)", arguments: ["1.0", "1.1"])
    func ignoresExpectationsOverHTTP10(version: String) throws {
        try connection { channel, _ in
            try channel.writeInbound(
                ByteBuffer(string: "POST /1 HTTP/\(version)\r\nHost: a\r\nExpect: 100-continue\r\n\r\n"))
            guard case .head(let head)? = try channel.readInbound(as: HTTPServerRequestPart.self) else {
                Issue.record("no head")
                return
            }
            #expect(head.headers.contains(name: "Expect") == (version == "1.1"))
        }
    }

    @Test("only a response of unknown length to HTTP/1.0 is encoded for it", arguments: ["1.0", "1.1"])
    func encodesForHTTP10(version: String) throws {
        for (headers, expected) in [
            (["Content-Length": "0"], HTTPVersion.http1_1), ([:], version == "1.0" ? .http1_0 : .http1_1),
        ] {
            try connection { channel, _ in
                try channel.writeInbound(ByteBuffer(string: "GET /1 HTTP/\(version)\r\nHost: a\r\n\r\n"))
                let head = HTTPResponseHead(
                    version: .http1_1, status: .ok, headers: HTTPHeaders(headers.map { ($0.key, $0.value) }))
                try channel.writeOutbound(HTTPServerResponsePart.head(head))
                guard case .head(let written)? = try channel.readOutbound(as: HTTPServerResponsePart.self) else {
                    Issue.record("no head")
                    return
                }
                #expect(written.version == expected)
                let isChunked = written.headers.contains(name: "Transfer-Encoding")
                #expect(isChunked == (headers.isEmpty && version == "1.1"))
                try channel.writeOutbound(HTTPServerResponsePart.end(nil))
            }
        }
    }
}

/// A handler that counts the bytes that reach the decoder.
private final class DecoderInput: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private(set) var bytes = 0

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        bytes += unwrapInboundIn(data).readableBytes
        context.fireChannelRead(data)
    }
}
