import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import NIOSSL

/// A connection of a listener: the handlers that limit it, in their order, and Hummingbird's loop, which answers one request after another.
/// docs/architecture.md draws the order.
struct LimitedChannel: HTTPChannelHandler {
    typealias Value = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>

    let responder: Responder
    let capacity: ListenerCapacity
    /// `nil` for plain HTTP.
    let tls: NIOSSLContext?
    /// Whether requests are answered on the event loop of their connection.
    let runsOnEventLoop: Bool

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            let pipeline = channel.pipeline.syncOperations
            let handlers = ConnectionHandlers(
                capacity: capacity, turns: RequestTurns.onEventLoop(channel.eventLoop))
            try pipeline.addHandler(handlers.connection)
            if let tls { try pipeline.addHandler(NIOSSLServerHandler(context: tls)) }
            try handlers.addHTTP(to: pipeline)
            return try NIOAsyncChannel(
                wrappingChannelSynchronously: channel, configuration: .init(isOutboundHalfClosureEnabled: true))
        }
    }

    func handle(value: Value, logger: Logger) async {
        // A TLS connection cannot close its input only, which is what Hummingbird does when its task is cancelled.
        await withTaskCancellationHandler {
            if runsOnEventLoop {
                await withTaskExecutorPreference(EventLoopTaskExecutor(value.channel.eventLoop)) {
                    await handleHTTP(asyncChannel: value, logger: logger)
                }
            } else {
                await handleHTTP(asyncChannel: value, logger: logger)
            }
        } onCancel: {
            value.channel.triggerUserOutboundEvent(ConnectionCut(), promise: nil)
        }
    }
}

/// The handlers of one connection that are payrelay's. Each gets the ones that it needs when it is made.
struct ConnectionHandlers {
    let connection: ConnectionHandler
    let gate: RequestGate
    let rules: HTTP1RulesHandler
    let limits: RequestLimitsHandler
    private let decoding: NIOHTTPDecoderLimitConfiguration

    init(capacity: ListenerCapacity, turns: RequestTurns) {
        connection = ConnectionHandler(capacity: capacity)
        limits = RequestLimitsHandler(capacity: capacity, connection: connection)
        gate = RequestGate(limits: limits, connection: connection, turns: turns)
        rules = HTTP1RulesHandler(gate: gate, connection: connection)
        var decoding = NIOHTTPDecoderLimitConfiguration()
        decoding.maxHeaderFieldSize = capacity.limits.headerBytes
        decoding.maxHeaderListSize = capacity.limits.headerBytes
        decoding.maxHeaderFieldCount = ListenerLimits.headerFields
        self.decoding = decoding
    }

    /// Adds what is above TLS, from the bytes to the parts of requests and responses.
    func addHTTP(to pipeline: ChannelPipeline.SynchronousOperations) throws {
        try pipeline.addHandler(gate)
        var encoding = HTTPResponseEncoder.Configuration()
        encoding.automaticallySetFramingHeaders = false
        try pipeline.addHandler(HTTPResponseEncoder(configuration: encoding))
        try pipeline.addHandler(
            ByteToMessageHandler(
                HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes, limitConfiguration: decoding)))
        try pipeline.addHandler(rules)
        try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: false))
        try pipeline.addHandler(limits)
    }
}
