#if !os(Linux)
import Darwin

/// The same for development on other systems: `poll` looks at every socket each time.
final class SocketWatch {
    private let wakeup = Wakeup()
    private var events: [Int32: Int32] = [:]

    init() { watch(wakeup.reading, reads: true, writes: false) }

    func watch(_ socket: Int32, reads: Bool, writes: Bool) {
        events[socket] = (reads ? POLLIN : 0) | (writes ? POLLOUT : 0)
    }

    func forget(_ socket: Int32) { events[socket] = nil }

    func wake() { wakeup.ring() }

    func wait(milliseconds: Int, _ ready: (_ socket: Int32, _ readable: Bool, _ writable: Bool) -> Void) {
        var sockets = events.map { pollfd(fd: $0.key, events: Int16($0.value), revents: 0) }
        guard poll(&sockets, nfds_t(sockets.count), Int32(clamping: milliseconds)) > 0 else { return }
        for socket in sockets where socket.revents != 0 {
            if socket.fd == wakeup.reading {
                wakeup.silence()
            } else {
                let found = Int32(socket.revents)
                ready(socket.fd, found & POLLIN != 0, found & POLLOUT != 0)
            }
        }
    }
}
#endif
