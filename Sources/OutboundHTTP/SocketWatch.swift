#if os(Linux)
import CEpoll
import Glibc

/// Tells which sockets are ready. What it costs does not depend on how many wait, which is most of them while FORT is slow.
final class SocketWatch {
    private let epoll: Int32
    private let wakeup = Wakeup()

    init() {
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard epoll >= 0 else {
            // Safe to end the process: this runs when a client is made, before any request.
            fatalError("epoll could not be had, without which nothing can be sent: \(String(cString: strerror(errno)))")
        }
        watch(wakeup.reading, reads: true, writes: false)
    }

    deinit { close(epoll) }

    /// Replaces what was watched for on this socket.
    func watch(_ socket: Int32, reads: Bool, writes: Bool) {
        var event = epoll_event()
        event.events = (reads ? EPOLLIN.rawValue : 0) | (writes ? EPOLLOUT.rawValue : 0)
        event.data.fd = socket
        // Most are new: of a connection that is kept, libcurl forgets the socket after each answer.
        if epoll_ctl(epoll, EPOLL_CTL_ADD, socket, &event) != 0 { epoll_ctl(epoll, EPOLL_CTL_MOD, socket, &event) }
    }

    /// A socket that was closed is forgotten already.
    func forget(_ socket: Int32) {
        epoll_ctl(epoll, EPOLL_CTL_DEL, socket, nil)
    }

    /// Ends the present or the next `wait`, from any thread.
    func wake() { wakeup.ring() }

    /// Waits until a socket is ready, someone calls `wake`, or the time is over.
    ///
    /// - Parameter ready: called for each socket that is ready, or broken: then neither to be read nor to be written.
    func wait(milliseconds: Int, _ ready: (_ socket: Int32, _ readable: Bool, _ writable: Bool) -> Void) {
        let limit = 64
        withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: limit) { events in
            let count = epoll_wait(epoll, events.baseAddress, Int32(limit), Int32(clamping: milliseconds))
            // None after a signal: who waits asks again.
            for event in events.prefix(max(0, Int(count))) {
                if event.data.fd == wakeup.reading {
                    wakeup.silence()
                } else {
                    let (readable, writable) = (event.events & EPOLLIN.rawValue, event.events & EPOLLOUT.rawValue)
                    ready(event.data.fd, readable != 0, writable != 0)
                }
            }
        }
    }
}
#endif
