import Glibc
import Testing

@testable import OutboundHTTP

@Suite(.timeLimit(.minutes(25))) struct SocketWatchTests {
    private let watch = SocketWatch()

    /// Returns the sockets that become ready within the given time, in order.
    private func ready(within milliseconds: Int = 0) -> [(socket: Int32, readable: Bool, writable: Bool)] {
        var found: [(Int32, Bool, Bool)] = []
        watch.wait(milliseconds: milliseconds) { found.append(($0, $1, $2)) }
        return found.sorted { $0.0 < $1.0 }
    }

    @Test func reportsOnlyTheRequestedReadiness() {
        let pair = SocketPair()
        watch.watch(pair.own, reads: true, writes: false)
        #expect(ready().isEmpty)
        pair.sendFromOther()
        #expect(ready(within: 1_000).map(\.socket) == [pair.own])
        #expect(ready().map(\.readable) == [true])
        watch.watch(pair.own, reads: false, writes: true)
        #expect(ready().map(\.writable) == [true])
        #expect(ready().map(\.readable) == [false])
        watch.forget(pair.own)
        #expect(ready().isEmpty)
    }

    @Test func reportsEverySocketHoweverManyAreReadyAtOnce() {
        let pairs = (0..<200).map { _ in SocketPair() }
        for pair in pairs { watch.watch(pair.own, reads: false, writes: true) }
        var seen: Set<Int32> = []
        while seen.count < pairs.count {
            for socket in ready(within: 1_000).map(\.socket) {
                seen.insert(socket)
                watch.forget(socket)
            }
        }
        #expect(seen == Set(pairs.map(\.own)))
    }

    @Test func aSocketThatTookTheNumberOfAClosedOneIsWatched() {
        let (pair, successor) = (SocketPair(), SocketPair())
        watch.watch(pair.own, reads: true, writes: false)
        #expect(dup2(successor.own, pair.own) == pair.own)
        #expect(ready().isEmpty)
        watch.watch(pair.own, reads: false, writes: true)
        #expect(ready(within: 1_000).map(\.socket) == [pair.own])
    }

    @Test func wakesOnceHoweverOftenItWasSignalled() {
        let pair = SocketPair()
        watch.watch(pair.own, reads: true, writes: false)
        for _ in 0..<3 {
            watch.wake()
            watch.wake()
            let hours = 3_600_000
            #expect(ready(within: hours).isEmpty)
            // If the watch were still awake, the next call would not wait for the socket.
            let other = pair.other
            let sending = JoinableThread(running: { SocketPair.send(from: other, after: 50_000) })
            #expect(ready(within: hours).map(\.socket) == [pair.own])
            sending?.join()
            pair.receive()
        }
    }
}

/// Two connected sockets.
private final class SocketPair {
    let own: Int32
    let other: Int32

    init() {
        var ends: [Int32] = [-1, -1]
        socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends)
        (own, other) = (ends[0], ends[1])
    }

    deinit {
        close(own)
        close(other)
    }

    func sendFromOther() { Self.send(from: other) }

    static func send(from socket: Int32, after microseconds: UInt32 = 0) {
        usleep(microseconds)
        var byte: UInt8 = 1
        _ = write(socket, &byte, 1)
    }

    func receive() {
        var byte: UInt8 = 0
        _ = read(own, &byte, 1)
    }
}
