import CCurl

/// libcurl's multi handle: the connections that are kept alive, and the transfers that use them.
///
/// The event loop works as libcurl's `multi_socket` interface requires:
///
/// - libcurl reports the sockets that it waits for, and the deadline at which it must be called
///   (``CurlSchedule``).
/// - ``wait(mayBlock:)`` waits for those sockets and passes the ready ones to libcurl.
/// - ``performDue()`` calls libcurl when its deadline has passed.
///
/// The simpler `curl_multi_perform` would query the system about every request in flight each time that one of
/// them makes progress.
final class CurlMulti: Sendable {
    // Safe: only the thread of the loop uses it, and it is freed with the last reference.
    nonisolated(unsafe) private let handle: UnsafeMutableRawPointer
    // Safe: only that thread uses it, except for `wakeUp`, which only writes to an eventfd.
    nonisolated(unsafe) private let schedule = CurlSchedule()

    /// Whether libcurl is initialized, which must happen once per process before any other call.
    private static let isInitialized = curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK

    /// - Parameter keptConnections: the number of connections to keep. libcurl also counts connections that are
    ///   in use, so with a number below the requests in flight, nearly every request would need a new connection.
    init(keptConnections: Int) {
        guard Self.isInitialized, let handle = curl_multi_init() else {
            // Safe to end the process: this fails only if memory runs out, which would end the process anyway.
            fatalError("libcurl could not be initialized: nothing can be sent without it")
        }
        self.handle = handle
        // At least 1, because zero lets libcurl choose. The number of open connections is not limited, because in
        // some versions of libcurl a transfer that waits for a connection would escape its timeouts. The limit on
        // requests in flight bounds them.
        payrelay_curl_multi_set_long(handle, CURLMOPT_MAXCONNECTS, max(1, keptConnections))
        schedule.attach(to: handle)
    }

    deinit { curl_multi_cleanup(handle) }

    /// Ends the current or the next call of `wait`. May be called on any thread.
    func wakeUp() { schedule.sockets.wake() }

    /// Starts a transfer. The handle must be removed before it is freed.
    func add(_ easy: CurlEasy) -> CURLMcode {
        curl_multi_add_handle(handle, easy.handle)
    }

    /// Removes a transfer, whether it has ended or not. libcurl does not call its callbacks after that.
    func remove(_ easy: CurlEasy) {
        curl_multi_remove_handle(handle, easy.handle)
    }

    /// Calls libcurl if its deadline has passed. Each transfer begins with such a call.
    func performDue() -> CURLMcode {
        guard schedule.takeDue() else { return CURLM_OK }
        return act(on: CURL_SOCKET_TIMEOUT, readable: false, writable: false)
    }

    /// Waits until a socket is ready, the deadline of libcurl comes, or `wakeUp` is called. Then lets libcurl
    /// process the ready sockets.
    ///
    /// - Parameter mayBlock: whether to wait. If false, only checks which sockets are ready.
    func wait(mayBlock: Bool) -> CURLMcode {
        var code = CURLM_OK
        schedule.sockets.wait(milliseconds: mayBlock ? schedule.millisecondsLeft : 0) { socket, readable, writable in
            let done = act(on: socket, readable: readable, writable: writable)
            if done != CURLM_OK { code = done }
        }
        return code
    }

    /// Lets libcurl process a socket. If the socket is neither readable nor writable, it is broken, and libcurl
    /// checks it itself.
    private func act(on socket: curl_socket_t, readable: Bool, writable: Bool) -> CURLMcode {
        var running: Int32 = 0
        let found = (readable ? CURL_CSELECT_IN : 0) | (writable ? CURL_CSELECT_OUT : 0)
        return curl_multi_socket_action(handle, socket, found, &running)
    }

    /// Returns the next transfer that has ended by itself, and its result.
    func nextEnded() -> (easy: UnsafeMutableRawPointer, code: CURLcode)? {
        var left: Int32 = 0
        while let message = curl_multi_info_read(handle, &left) {
            if message.pointee.msg == CURLMSG_DONE {
                return (message.pointee.easy_handle, message.pointee.data.result)
            }
        }
        return nil
    }
}

/// The sockets that libcurl waits for, and the deadline at which it must be called even if no socket is ready.
///
/// libcurl holds a pointer to this object as long as its multi handle lives.
final class CurlSchedule {
    let sockets = SocketWatch()
    private var deadline: ContinuousClock.Instant?

    /// The time until the deadline, at most a minute. Rounded up, so that the last millisecond is not spent
    /// polling.
    var millisecondsLeft: Int {
        let longest = 60_000.0
        guard let deadline else { return Int(longest) }
        return Int(min(longest, max(0, ((deadline - .now) / .milliseconds(1)).rounded(.up))))
    }

    /// Returns whether the deadline has passed. Returns true once for each deadline.
    func takeDue() -> Bool {
        guard let deadline, deadline <= .now else { return false }
        self.deadline = nil
        return true
    }

    /// Registers the callbacks by which libcurl reports its sockets and its deadline to this object.
    func attach(to multi: UnsafeMutableRawPointer) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        payrelay_curl_multi_on_socket(
            multi,
            { _, socket, what, context, _ in
                CurlSchedule.at(context).watch(socket, for: what)
                return 0
            }, context)
        payrelay_curl_multi_on_timer(
            multi,
            { _, milliseconds, context in
                CurlSchedule.at(context).deadline = milliseconds < 0 ? nil : .now + .milliseconds(milliseconds)
                return 0
            }, context)
    }

    private func watch(_ socket: curl_socket_t, for what: Int32) {
        switch what {
        case CURL_POLL_REMOVE: sockets.forget(socket)
        default: sockets.watch(socket, reads: what & CURL_POLL_IN != 0, writes: what & CURL_POLL_OUT != 0)
        }
    }

    private static func at(_ context: UnsafeMutableRawPointer?) -> CurlSchedule {
        guard let context else { preconditionFailure("libcurl passes the pointer it was given") }
        return Unmanaged<CurlSchedule>.fromOpaque(context).takeUnretainedValue()
    }
}
