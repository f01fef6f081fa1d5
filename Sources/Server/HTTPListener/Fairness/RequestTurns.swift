import Glibc
import NIOCore
import NIOPosix

/// Lets the connections of one event loop begin their requests in turns.
///
/// An event loop reads its sockets only once nothing is left that it can do without them, and each request that has begun is something to
/// do. So at most ``atOnce`` requests begin between two reads of the sockets. The others wait in a queue for each network, and the networks
/// take turns: whatever number of connections one address has, a request from another waits for one round.
///
/// To be used on the thread of the event loop only.
final class RequestTurns {
    /// The loop answers so many requests in about two milliseconds. Each read of the sockets accepts a few connections, so with many more
    /// requests a new connection would wait behind the others of the backlog.
    static let atOnce = 8

    private typealias Waiting = CircularBuffer<RequestGate>

    private let limit: Int
    private var begun = 0
    private var waiting: [PeerNetwork?: Waiting] = [:]
    /// The networks of ``waiting``, the next one first.
    private var networks = CircularBuffer<PeerNetwork?>()
    private var isRoundDue = false
    let runAfterNextRead: (_ round: @escaping () -> Void) -> Void

    /// - Parameters:
    ///   - atOnce: how many requests may begin between two reads of the sockets.
    ///   - runAfterNextRead: runs its argument later, once the loop has read its sockets again.
    init(atOnce: Int = RequestTurns.atOnce, runAfterNextRead: @escaping (_ round: @escaping () -> Void) -> Void) {
        limit = atOnce
        self.runAfterNextRead = runAfterNextRead
    }

    /// Returns whether the connection may begin its request. If not, ``RequestGate/takeTurn()`` is called once it may.
    ///
    /// - Parameter network: the one that the connection counts for; `nil` for a trusted proxy's.
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
            // A connection that was closed meanwhile takes no turn.
            if gate.takeTurn() { begun += 1 }
        }
        if !networks.isEmpty { prepareRound() }
    }

    // MARK: Event loops

    // Safe: each thread sees only the value that it has set.
    nonisolated(unsafe) private static let ofThread = ThreadSpecificVariable<RequestTurns>()

    /// Returns the turns of the event loop that runs on this thread, for all its listeners together.
    static func onEventLoop(_ loop: any EventLoop) -> RequestTurns {
        loop.assertInEventLoop()
        if let turns = ofThread.currentValue { return turns }
        let pipe = ReadMark(loop)
        let turns = RequestTurns { pipe.run($0) }
        ofThread.currentValue = turns
        return turns
    }
}

/// A pipe from an event loop to itself: the loop gets the byte that it wrote when it reads its sockets next. Nothing else tells when it does;
/// what is scheduled, even for later, may run before.
private final class ReadMark: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let loop: any EventLoop
    private var channel: EventLoopFuture<any Channel>?
    private var action: (() -> Void)?

    init(_ loop: any EventLoop) {
        self.loop = loop
    }

    /// Runs an action once the loop has read its sockets again. One action waits at a time.
    func run(_ action: @escaping () -> Void) {
        self.action = action
        let channel = self.channel ?? open()
        self.channel = channel
        channel.flatMap { $0.writeAndFlush(ByteBuffer(integer: UInt8(0))) }.assumeIsolated().whenFailure { _ in
            // The process may have no file left for a pipe. Requests go on all the same, and the next round tries a new one.
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
