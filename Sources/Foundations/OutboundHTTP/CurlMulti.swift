import CCurl

/// libcurl's multi handle: the connections kept alive and the transfers that run over them.
///
/// The loop passes it the sockets that are ready. `curl_multi_perform` would ask the system about every request in
/// flight each time that one of them progresses.
final class CurlMulti: Sendable {
    // Safe: used by the thread that runs the loop alone, and freed with the last reference.
    nonisolated(unsafe) private let handle: UnsafeMutableRawPointer
    // Safe: used by that thread alone, except for `wakeUp`, which only writes to an eventfd.
    nonisolated(unsafe) private let schedule = CurlSchedule()

    /// libcurl must be initialized once per process, before anything else.
    private static let isInitialized = curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK

    /// - Parameter keptConnections: how many connections to keep. libcurl counts those in use as well, so fewer than
    ///   are in flight at once would mean a new connection for nearly every request.
    init(keptConnections: Int) {
        guard Self.isInitialized, let handle = curl_multi_init() else {
            // Safe to end the process: this fails only where memory runs out, which ends it anyway.
            fatalError("libcurl could not be initialized: nothing can be sent without it")
        }
        self.handle = handle
        // Zero would let libcurl choose. There is no limit on open connections, because a transfer that waits for one would
        // escape its timeouts in some versions of libcurl. The limit on requests in flight bounds them.
        payrelay_curl_multi_set_long(handle, CURLMOPT_MAXCONNECTS, max(1, keptConnections))
        schedule.attach(to: handle)
    }

    deinit { curl_multi_cleanup(handle) }

    /// Ends the present or the next `wait`.
    func wakeUp() { schedule.sockets.wake() }

    /// Starts a transfer. The handle must be removed before it is freed.
    func add(_ easy: CurlEasy) -> CURLMcode {
        curl_multi_add_handle(handle, easy.handle)
    }

    /// Takes a transfer out, ended or not. libcurl calls none of its callbacks afterwards.
    func remove(_ easy: CurlEasy) {
        curl_multi_remove_handle(handle, easy.handle)
    }

    /// Calls libcurl if its deadline has passed. Each transfer begins with such a call.
    func performDue() -> CURLMcode {
        guard schedule.takeDue() else { return CURLM_OK }
        return act(on: CURL_SOCKET_TIMEOUT, readable: false, writable: false)
    }

    /// Sleeps until a socket is ready, something is due or `wakeUp` is called; does what the sockets ask for.
    ///
    /// - Parameter mayBlock: false only looks which sockets are ready.
    func wait(mayBlock: Bool) -> CURLMcode {
        var code = CURLM_OK
        schedule.sockets.wait(milliseconds: mayBlock ? schedule.millisecondsLeft : 0) { socket, readable, writable in
            let done = act(on: socket, readable: readable, writable: writable)
            if done != CURLM_OK { code = done }
        }
        return code
    }

    /// A socket that is neither readable nor writable is broken, and libcurl looks for itself.
    private func act(on socket: curl_socket_t, readable: Bool, writable: Bool) -> CURLMcode {
        var running: Int32 = 0
        let found = (readable ? CURL_CSELECT_IN : 0) | (writable ? CURL_CSELECT_OUT : 0)
        return curl_multi_socket_action(handle, socket, found, &running)
    }

    /// The next transfer that has ended by itself, and how.
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

/// The sockets that libcurl waits for, and the deadline at which it is to be called without any.
///
/// libcurl holds a pointer to this object as long as its multi handle lives.
final class CurlSchedule {
    let sockets = SocketWatch()
    private var deadline: ContinuousClock.Instant?

    /// Rounded up, so that the last millisecond is not spent polling. At most a minute.
    var millisecondsLeft: Int {
        let longest = 60_000.0
        guard let deadline else { return Int(longest) }
        return Int(min(longest, max(0, ((deadline - .now) / .milliseconds(1)).rounded(.up))))
    }

    /// Whether the time has come. True once for each deadline.
    func takeDue() -> Bool {
        guard let deadline, deadline <= .now else { return false }
        self.deadline = nil
        return true
    }

    /// Registers the callbacks by which libcurl tells this object what it waits for.
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
