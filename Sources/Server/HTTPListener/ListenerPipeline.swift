import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import NIOSSL

/// The pipeline of a listener's connection: the handlers that enforce the limits, in their order, followed by
/// Hummingbird's loop, which answers one request after another. docs/architecture.md shows the order.
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
        // When its task is cancelled, Hummingbird closes only the input, which a TLS connection cannot do. So the
        // socket is closed here.
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

/// payrelay's own handlers of one connection, with references to each other where they need them.
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

    /// Adds the handlers above TLS, which turn bytes into the parts of requests and responses.
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
