import NIOCore

/// Closes the connection immediately, even if a request is under way. An event for ``RequestLimitsHandler``.
struct ConnectionCut: Sendable {}

/// The first handler of each connection, below TLS. It counts the connection in the listener's capacity, and it
/// can close the socket.
final class ConnectionHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let capacity: ListenerCapacity
    /// `nil` until the connection is active.
    private(set) var held: TrackedChannel?
    private var isServed = false
    private var context: ChannelHandlerContext?
    /// Closes the connection to make room for others. Set by ``RequestLimitsHandler``, which knows the state of
    /// the request.
    var makeRoom: ((ListenerCapacity.Shed) -> Void)?

    init(capacity: ListenerCapacity) {
        self.capacity = capacity
    }

    /// The sizes of a read are limited because the bytes of one read wait in memory until the earlier requests
    /// are answered.
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
        // Both hold a reference to this handler; clearing them breaks the cycle.
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

    /// Closes the socket without TLS's close_notify, which would keep the connection's slot until the client
    /// answers the alert.
    func cut() {
        context?.close(promise: nil)
    }

    /// Records that the connection changes from one state to another.
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
