import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes

@testable import HTTPListener

/// A connection with the handlers of a listener, in virtual time. The test plays the client and the responder.
struct TestConnection {
    let channel = EmbeddedChannel()
    let handlers: ConnectionHandlers
    private let client = Client()

    init(
        _ capacity: ListenerCapacity, from address: String = "127.0.0.1", above: (any ChannelHandler)? = nil,
        turns: RequestTurns = RequestTurns(atOnce: .max) { _ in }
    ) throws {
        handlers = ConnectionHandlers(capacity: capacity, turns: turns)
        channel.remoteAddress = try SocketAddress(ipAddress: address, port: 1)
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(client)
        try pipeline.addHandler(handlers.connection)
        if let above { try pipeline.addHandler(above) }
        try handlers.addHTTP(to: pipeline)
        try channel.connect(to: SocketAddress(ipAddress: address, port: 1)).wait()
    }

    /// Sends bytes in one read.
    func send(_ text: String) {
        channel.pipeline.fireChannelRead(ByteBuffer(string: text))
        channel.pipeline.fireChannelReadComplete()
    }

    func finishSending() {
        channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
    }

    /// Sets whether the client reads what is written to it.
    func set(isReading: Bool) {
        client.isReading = isReading
        if isReading { channel.pipeline.flush() }
    }

    func answer(_ status: HTTPResponse.Status = .ok, body: String = "", fields: HTTPFields = [:], isEnded: Bool = true)
    {
        var head = HTTPResponse(status: status, headerFields: fields)
        if isEnded { head.headerFields[.contentLength] = "\(body.utf8.count)" }
        channel.pipeline.write(HTTPResponsePart.head(head), promise: nil)
        if !body.isEmpty { channel.pipeline.write(HTTPResponsePart.body(ByteBuffer(string: body)), promise: nil) }
        if isEnded { channel.pipeline.write(HTTPResponsePart.end(nil), promise: nil) }
        channel.pipeline.flush()
    }

    func pass(_ seconds: Int64) { channel.embeddedEventLoop.advanceTime(by: .seconds(seconds)) }

    var isOpen: Bool { channel.isActive }

    /// Returns the text that the client has received since the last call.
    func received() throws -> String {
        var text = ""
        while let bytes = try channel.readOutbound(as: ByteBuffer.self) { text += String(buffer: bytes) }
        return text
    }

    /// Returns the statuses of the answers that the client has received since the last call.
    func statuses() throws -> [Int] {
        try received().split(separator: "HTTP/1.").dropFirst(0).compactMap { Int($0.dropFirst(2).prefix(3)) }
    }

    /// Returns the requests that have reached the responder since the last call: the path, the pieces of the body, and a full
    /// stop for the end.
    func requests() throws -> [String] {
        var requests: [String] = []
        while let part = try channel.readInbound(as: HTTPRequestPart.self) {
            switch part {
            case .head(let head): requests.append(head.path ?? "")
            case .body(let bytes): requests[requests.count - 1] += " " + String(buffer: bytes)
            case .end: requests.isEmpty ? requests.append(".") : (requests[requests.count - 1] += ".")
            }
        }
        return requests
    }

    /// A handler that holds writes back unless the client reads.
    private final class Client: ChannelOutboundHandler {
        typealias OutboundIn = ByteBuffer
        var isReading = true

        func flush(context: ChannelHandlerContext) {
            if isReading { context.flush() }
        }
    }
}
