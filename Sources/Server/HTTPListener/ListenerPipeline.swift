import HummingbirdCore
import Logging
import NIOCore
import NIOHTTPTypes
import NIOSSL

/// Connections that are counted from their first moment, before a TLS handshake.
struct CountedChannel<Base: ServerChildChannel>: ServerChildChannel {
    let base: Base
    let capacity: ListenerCapacity

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
        do {
            try channel.pipeline.syncOperations.addHandler(ConnectionLimitHandler(capacity: capacity))
        } catch {
            return channel.eventLoop.makeFailedFuture(error)
        }
        return base.setup(channel: channel, logger: logger)
    }

    func handle(value: Base.Value, logger: Logger) async {
        await base.handle(value: value, logger: logger)
    }
}

extension HTTPServerBuilder {
    /// HTTP/1.1 without TLS, within limits.
    static func plain(
        _ capacity: ListenerCapacity, _ makeHandler: @escaping @Sendable (any EventLoop) -> RequestHandler
    ) -> HTTPServerBuilder {
        HTTPServerBuilder { responder in
            CountedChannel(
                base: HTTP1Channel(responder: responder, configuration: .init(capacity, makeHandler)),
                capacity: capacity)
        }
    }

    /// HTTP/1.1 over TLS, within limits. The deadline for the first head includes the handshake.
    static func tls(
        _ certificate: ListenerCertificate, _ capacity: ListenerCapacity,
        _ makeHandler: @escaping @Sendable (any EventLoop) -> RequestHandler
    ) -> HTTPServerBuilder {
        HTTPServerBuilder { responder in
            let channel = HTTP1Channel(responder: responder, configuration: .init(capacity, makeHandler))
            let tls = TLSChannel(base: channel, context: try NIOSSLContext(configuration: certificate.configuration))
            return CountedChannel(base: tls, capacity: capacity)
        }
    }
}

/// Connections over TLS.
struct TLSChannel: ServerChildChannel {
    let base: HTTP1Channel
    let context: NIOSSLContext

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        do {
            try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
        } catch {
            return channel.eventLoop.makeFailedFuture(error)
        }
        return base.setup(channel: channel, logger: logger)
    }

    func handle(value: HTTP1Channel.Value, logger: Logger) async {
        await base.handle(value: value, logger: logger)
    }
}

extension HTTP1Channel.Configuration {
    /// HTTP/1.1 within limits.
    init(_ capacity: ListenerCapacity, _ makeHandler: @escaping @Sendable (any EventLoop) -> RequestHandler) {
        let limits = capacity.limits
        self.init(
            additionalChannelHandlers: [
                RequestLimitsHandler(capacity: capacity), RequestHandlerInstaller(makeHandler),
            ],
            // A body that stalls is idle to Hummingbird, which would cut it off without the answer that it gets at its deadline.
            idleTimeout: max(
                TimeAmount(limits.idleTimeout), TimeAmount(limits.bodyTimeout) + RequestLimitsHandler.lingering),
            httpDecoderConfiguration: .init(
                maxHeaderFieldSize: limits.headerBytes, maxHeaderListSize: limits.headerBytes,
                maxHeaderFieldCount: ListenerLimits.headerFields))
    }
}

/// Puts a ``RequestHandler`` behind Hummingbird's handler of a connection's state, which is added after this one, as soon as the
/// connection has a request.
final class RequestHandlerInstaller: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart

    private let makeHandler: (any EventLoop) -> RequestHandler

    init(_ makeHandler: @escaping (any EventLoop) -> RequestHandler) {
        self.makeHandler = makeHandler
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let pipeline = context.pipeline.syncOperations
        do {
            let state = try pipeline.handler(type: HTTPConnectionStateHandler.self)
            try pipeline.addHandler(makeHandler(context.eventLoop), position: .after(state))
        } catch {
            return context.close(promise: nil)
        }
        context.fireChannelRead(data)
        pipeline.removeHandler(self, promise: nil)
    }
}
