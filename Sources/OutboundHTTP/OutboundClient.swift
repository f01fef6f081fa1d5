import Synchronization

/// An HTTP client over the system's libcurl: the only way this service talks to FORT and to Apple.
///
/// This room exists because a request to charge must never be repeated behind our back, and because a failure must say
/// whether the request can have arrived. One thread runs libcurl's multi interface; Swift tasks await their transfer.
/// TLS 1.2 or later with certificate and host verified, HTTP/2 where offered, connections kept alive; redirects are not
/// followed, and proxies are as libcurl's environment variables say (never for loopback addresses).
public final class OutboundClient: Sendable {
    private let inbox: CurlInbox
    private let thread: Mutex<JoinableThread?>
    private let nextIdentifier = Atomic<UInt64>(0)

    /// Starts the thread. Where the system does not allow that, every `send` is `notSent` and says so.
    public init(_ settings: OutboundSettings = OutboundSettings()) {
        let multi = CurlMulti(keptConnections: settings.inFlightLimit)
        let inbox = CurlInbox(limit: settings.inFlightLimit, multi: multi)
        let thread = JoinableThread(running: { CurlLoop(multi: multi, inbox: inbox, settings: settings).run() })
        if thread == nil { inbox.close(reason: "the system did not allow a thread to be started") }
        self.inbox = inbox
        self.thread = Mutex(thread)
    }

    deinit { shutdown() }

    /// Sends the request once and waits for the whole answer.
    ///
    /// Ends by the request's timeouts at the latest. Cancelling the task abandons the transfer at once; whether it is
    /// then `notSent` or `noAnswer` depends on how far it had come, as with every failure.
    public func send(_ request: OutboundRequest) async throws(OutboundFailure) -> OutboundAnswer {
        let identifier = nextIdentifier.wrappingAdd(1, ordering: .relaxed).newValue
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                inbox.submit(CurlInbox.Submission(identifier: identifier, request: request, continuation: continuation))
            }
        } onCancel: {
            inbox.cancel(identifier)
        }
        return try result.get()
    }

    /// Fails what is under way, refuses what comes after, closes every connection and waits for the thread to end.
    public func shutdown() {
        inbox.close(reason: "the client was shut down")
        thread.withLock { thread in
            thread?.join()
            thread = nil
        }
    }
}
