import HummingbirdCore
import NIOCore

extension HTTP1Channel.Configuration {
    /// HTTP/1.1 within limits.
    init(_ limits: ListenerLimits) {
        self.init(
            additionalChannelHandlers: [RequestReceptionHandler(limits: limits), ContinueHandler()],
            idleTimeout: TimeAmount(limits.idleTimeout),
            httpDecoderConfiguration: .init(
                maxHeaderFieldSize: limits.headerBytes, maxHeaderListSize: limits.headerBytes,
                maxHeaderFieldCount: ListenerLimits.headerFields))
    }
}
