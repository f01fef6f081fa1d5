import CCurl

/// What libcurl is waiting for: sockets, and a time at which it wants to be called without any.
///
/// libcurl holds a pointer to this object as long as its multi handle is there.
final class CurlSchedule {
    let sockets = SocketWatch()
    private var deadline: ContinuousClock.Instant?

    /// Rounded up: the last millisecond would be spent asking again and again. At most a minute.
    var millisecondsLeft: Int {
        let longest = 60_000.0
        guard let deadline else { return Int(longest) }
        return Int(min(longest, max(0, ((deadline - .now) / .milliseconds(1)).rounded(.up))))
    }

    /// Whether the time has come. It comes once.
    func takeDue() -> Bool {
        guard let deadline, deadline <= .now else { return false }
        self.deadline = nil
        return true
    }

    /// Lets libcurl tell this object what it waits for.
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
