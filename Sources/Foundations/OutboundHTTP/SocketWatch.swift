import CLinux
import Glibc

/// Waits for sockets to become ready, by epoll. The cost does not depend on the number of waiting sockets, which
/// is high while a gateway is slow.
final class SocketWatch {
    private let epoll: Int32
    private let wakeup = Wakeup()

    init() {
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard epoll >= 0 else {
            // Safe to end the process: this runs when a client is created, before any request.
            fatalError("no epoll, without which nothing can be sent: \(String(cString: strerror(errno)))")
        }
        // Edge-triggered, so that each signal is reported once and the counter need not be read. The counter does
        // not overflow before 2⁶⁴ signals.
        var event = epoll_event()
        event.events = EPOLLIN.rawValue | EPOLLET.rawValue
        event.data.fd = wakeup.descriptor
        epoll_ctl(epoll, EPOLL_CTL_ADD, wakeup.descriptor, &event)
    }

    deinit { close(epoll) }

    /// Watches a socket. Replaces the events that were watched for on the socket before.
    func watch(_ socket: Int32, reads: Bool, writes: Bool) {
        var event = epoll_event()
        event.events = (reads ? EPOLLIN.rawValue : 0) | (writes ? EPOLLOUT.rawValue : 0)
        event.data.fd = socket
        // Most sockets are not registered at this point, because libcurl unregisters the socket of a kept
        // connection after each response.
        if epoll_ctl(epoll, EPOLL_CTL_ADD, socket, &event) != 0 { epoll_ctl(epoll, EPOLL_CTL_MOD, socket, &event) }
    }

    /// Stops watching a socket. If the socket is closed, the system has already removed it.
    func forget(_ socket: Int32) {
        epoll_ctl(epoll, EPOLL_CTL_DEL, socket, nil)
    }

    /// Ends the current or the next call of `wait`. May be called on any thread.
    func wake() { wakeup.signal() }

    /// Waits until a socket is ready, `wake` is called, or the time has passed.
    ///
    /// - Parameter ready: called for each socket that is ready. A broken socket is neither readable nor writable.
    func wait(milliseconds: Int, _ ready: (_ socket: Int32, _ readable: Bool, _ writable: Bool) -> Void) {
        let limit = 64
        withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: limit) { events in
            let count = epoll_wait(epoll, events.baseAddress, Int32(limit), Int32(clamping: milliseconds))
            // A negative count means that a signal interrupted the wait. The caller waits again.
            for event in events.prefix(max(0, Int(count))) {
                guard event.data.fd != wakeup.descriptor else { continue }
                let (readable, writable) = (event.events & EPOLLIN.rawValue, event.events & EPOLLOUT.rawValue)
                ready(event.data.fd, readable != 0, writable != 0)
            }
        }
    }
}

/// Wakes a waiting thread from any thread, with an eventfd: a kernel counter that becomes readable.
final class Wakeup: Sendable {
    let descriptor: Int32

    init() {
        descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard descriptor >= 0 else {
            // Safe to end the process: this runs when a client is created, before any request.
            fatalError("no eventfd, without which nothing can be sent: \(String(cString: strerror(errno)))")
        }
    }

    deinit { close(descriptor) }

    func signal() { eventfd_write(descriptor, 1) }
}
