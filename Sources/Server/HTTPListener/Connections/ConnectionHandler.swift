import NIOCore

/// Ends the connection at once, whatever is under way on it. An event for ``RequestLimitsHandler``.
struct ConnectionCut: Sendable {}

/// The first handler of each connection, beneath TLS: counts the connection among the listener's, and can close its socket.
final class ConnectionHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let capacity: ListenerCapacity
    /// `nil` until the connection is there.
    private(set) var held: TrackedChannel?
    private var isServed = false
    private var context: ChannelHandlerContext?
    /// Ends the connection to make room for others. ``RequestLimitsHandler`` sets it; it knows what is under way.
    var makeRoom: ((ListenerCapacity.Shed) -> Void)?

    init(capacity: ListenerCapacity) {
        self.capacity = capacity
    }

    /// What one read brings waits in memory until the requests before it are answered.
    private static let bytesOfARead = AdaptiveRecvByteBufferAllocator(minimum: 64, initial: 8_192, maximum: 16_384)

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        do {
            let options = context.channel.syncOptions
            try options?.setOption(.maxMessagesPerRead, value: 1)
            try options?.setOption(.recvAllocator, value: Self.bytesOfARead)
        } catch {
            return context.close(promise: nil)
        }
        if context.channel.isActive { begin(context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        begin(context)
        context.fireChannelActive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        if let held {
            capacity.connections.remove(held)
            capacity.bytes.remove(held)
        }
        // Each of them holds this handler.
        held = nil
        makeRoom = nil
        self.context = nil
    }

    private func begin(_ context: ChannelHandlerContext) {
        guard held == nil else { return }
        let (loop, own) = (context.eventLoop, NIOLoopBound(self, eventLoop: context.eventLoop))
        let held = TrackedChannel(holder: capacity.holder(at: context.channel.remoteAddress?.ipAddress)) { reason in
            loop.execute { own.value.makeRoom?(reason) }
        }
        self.held = held
        capacity.connections.add(held)
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
        if new == .idle, old == .answering || old == .unread { held.markUsed() }
        if new != .answering { capacity.connections.noteIdle() }
    }
}
