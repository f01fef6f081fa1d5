import HummingbirdCore
import NIOCore

extension HTTP1Channel.Configuration {
    /// HTTP/1.1, or a stream of HTTP/2, within limits.
    init(_ limits: ListenerLimits) {
        let streams = OpenStreams(limit: limits.connections)
        self.init(
            additionalChannelHandlers: [
                StreamLimitHandler(streams: streams), RequestReceptionHandler(limits: limits), ContinueHandler(),
            ],
            idleTimeout: TimeAmount(limits.idleTimeout),
            httpDecoderConfiguration: .init(
                maxHeaderFieldSize: limits.headerBytes, maxHeaderListSize: limits.headerBytes,
                maxHeaderFieldCount: ListenerLimits.headerFields))
    }
}
