import NIOCore

/// The first handler of each connection: counts it among the listener's, and ends it where it is one too many.
final class ConnectionLimitHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer

    private let capacity: ListenerCapacity
    /// Nil until the connection is there.
    private(set) var held: TrackedChannel?
    private var isServed = false
    private var context: ChannelHandlerContext?

    init(capacity: ListenerCapacity) {
        self.capacity = capacity
    }

    /// What one read brings is decoded at once, and waits in many times as much memory: thousands of small requests, for example.
    private static let bytesOfARead = AdaptiveRecvByteBufferAllocator(minimum: 64, initial: 8_192, maximum: 16_384)

    func handlerAdded(context: ChannelHandlerContext) {
        let options = context.channel.syncOptions
        try? options?.setOption(.maxMessagesPerRead, value: 1)
        try? options?.setOption(.recvAllocator, value: Self.bytesOfARead)
        if context.channel.isActive { begin(context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        begin(context)
        context.fireChannelActive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        if let held {
            capacity.connections.remove(held)
            capacity.bodies.remove(held)
        }
        // Both hold this handler.
        held = nil
        self.context = nil
    }

    private func begin(_ context: ChannelHandlerContext) {
        guard held == nil else { return }
        self.context = context
        let (loop, own) = (context.eventLoop, NIOLoopBound((self, context), eventLoop: context.eventLoop))
        let held = TrackedChannel(holder: capacity.holder(at: context.channel.remoteAddress?.ipAddress)) { reason in
            loop.execute {
                let (handler, context) = own.value
                handler.end(context, reason)
            }
        }
        self.held = held
        capacity.connections.add(held)
    }

    private func end(_ context: ChannelHandlerContext, _ reason: ListenerCapacity.Shed) {
        guard let held, context.channel.isActive else { return }
        if let request = try? context.pipeline.syncOperations.handler(type: RequestLimitsHandler.self) {
            return request.end(for: reason)
        }
        guard held.standing != .answering else { return capacity.connections.spare(held) }
        context.close(promise: nil)
    }

    /// Closes the socket without TLS's close_notify, which would hold the place until the client answers it.
    func cut() {
        context?.close(promise: nil)
    }

    /// The connection goes on to something else.
    func change(from old: TrackedChannel.Standing, to new: TrackedChannel.Standing) {
        guard let held else { return }
        held.standing = new
        if old == .answering || old == .unread, !isServed {
            isServed = true
            capacity.connections.markServed(held)
        }
        if held.standing == .idle, old == .answering || old == .unread { held.markUsed() }
        if held.standing != .answering { capacity.connections.noteIdle() }
    }
}
