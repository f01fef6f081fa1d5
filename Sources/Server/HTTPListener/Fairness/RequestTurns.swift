import Glibc
import NIOCore
import NIOPosix

/// Makes the connections of one event loop take turns in beginning their requests.
///
/// An event loop reads its sockets only when it has no other work left, and each request that has begun is such
/// work. Therefore:
///
/// - At most ``atOnce`` requests begin between two reads of the sockets.
/// - The other requests wait in a queue for each network.
/// - The networks take turns. However many connections one address has, a request from another address waits for
///   one round only.
///
/// Must be used only on the thread of the event loop.
final class RequestTurns {
    /// The event loop answers this many requests in about two milliseconds. The number is low because each read
    /// of the sockets accepts only a few connections: with a higher number, a new connection would wait longer
    /// behind the rest of the backlog.
    static let atOnce = 8

    private typealias Waiting = CircularBuffer<RequestGate>

    private let limit: Int
    private var begun = 0
    private var waiting: [PeerNetwork?: Waiting] = [:]
    /// The networks that have requests in ``waiting``; the next network is the first.
    private var networks = CircularBuffer<PeerNetwork?>()
    private var isRoundDue = false
    let runAfterNextRead: (_ round: @escaping () -> Void) -> Void

    /// - Parameters:
    ///   - atOnce: the number of requests that may begin between two reads of the sockets.
    ///   - runAfterNextRead: runs its argument after the event loop has read its sockets again.
    init(atOnce: Int = RequestTurns.atOnce, runAfterNextRead: @escaping (_ round: @escaping () -> Void) -> Void) {
        limit = atOnce
        self.runAfterNextRead = runAfterNextRead
    }

    /// Returns whether the connection may begin its request now. If not, ``RequestGate/takeTurn()`` is called
    /// when it may.
    ///
    /// - Parameter network: the network that the connection counts for; `nil` for the connection of a trusted
    ///   proxy.
    func mayBegin(_ gate: RequestGate, of network: PeerNetwork?) -> Bool {
        if networks.isEmpty, begun < limit {
            begun += 1
            return true
        }
        if waiting[network] == nil { networks.append(network) }
        waiting[network, default: Waiting()].append(gate)
        prepareRound()
        return false
    }

    private func prepareRound() {
        guard !isRoundDue else { return }
        isRoundDue = true
        runAfterNextRead { self.runRound() }
    }

    private func runRound() {
        isRoundDue = false
        begun = 0
        while begun < limit, let network = networks.popFirst() {
            guard let gate = waiting[network]?.popFirst() else { continue }
            if waiting[network]?.isEmpty == true { waiting[network] = nil } else { networks.append(network) }
            // A connection that was closed in the meantime does not use up a turn.
            if gate.takeTurn() { begun += 1 }
        }
        if !networks.isEmpty { prepareRound() }
    }

    // MARK: Event loops

    // Safe: each thread sees only the value that it has set itself.
    nonisolated(unsafe) private static let ofThread = ThreadSpecificVariable<RequestTurns>()

    /// Returns the turns of the event loop that runs on this thread. All listeners of the event loop share them.
    static func onEventLoop(_ loop: any EventLoop) -> RequestTurns {
        loop.assertInEventLoop()
        if let turns = ofThread.currentValue { return turns }
        let pipe = ReadMark(loop)
        let turns = RequestTurns { pipe.run($0) }
        ofThread.currentValue = turns
        return turns
    }
}

/// A pipe from an event loop to itself. The event loop receives the byte that it wrote the next time it reads its
/// sockets. Nothing else signals that read: a scheduled task, even a delayed one, may run before it.
private final class ReadMark: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let loop: any EventLoop
    private var channel: EventLoopFuture<any Channel>?
    private var action: (() -> Void)?

    init(_ loop: any EventLoop) {
        self.loop = loop
    }

    /// Runs an action after the event loop has read its sockets again. Only one action can wait at a time.
    func run(_ action: @escaping () -> Void) {
        self.action = action
        let channel = self.channel ?? open()
        self.channel = channel
        channel.flatMap { $0.writeAndFlush(ByteBuffer(integer: UInt8(0))) }.assumeIsolated().whenFailure { _ in
            // The process may have no file descriptors left for a pipe. Requests continue without it, and the
            // next round opens a new pipe.
            self.channel = nil
            self.loop.assumeIsolated().scheduleTask(in: .milliseconds(1)) { self.runAction() }
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { runAction() }

    private func runAction() {
        let action = self.action
        self.action = nil
        action?()
    }

    private func open() -> EventLoopFuture<any Channel> {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else {
            return loop.makeFailedFuture(IOError(errnoCode: errno, reason: "pipe"))
        }
        let own = NIOLoopBound(self, eventLoop: loop)
        return NIOPipeBootstrap(group: loop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(own.value) }
            }
            .takingOwnershipOfDescriptors(input: ends[0], output: ends[1])
    }
}
