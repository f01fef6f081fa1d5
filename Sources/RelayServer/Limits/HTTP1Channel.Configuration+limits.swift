import HummingbirdCore
import NIOCore

extension HTTP1Channel.Configuration {
    /// HTTP/1.1, or a stream of HTTP/2, within limits.
    init(_ capacity: ListenerCapacity) {
        let limits = capacity.limits
        self.init(
            additionalChannelHandlers: [
                StreamLimitHandler(capacity: capacity), RequestReceptionHandler(capacity: capacity), ContinueHandler(),
            ],
            idleTimeout: TimeAmount(limits.idleTimeout),
            httpDecoderConfiguration: .init(
                maxHeaderFieldSize: limits.headerBytes, maxHeaderListSize: limits.headerBytes,
                maxHeaderFieldCount: ListenerLimits.headerFields))
    }
}
