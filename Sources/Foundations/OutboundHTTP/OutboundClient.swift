public import PayrelayPrimitives
import Synchronization

/// An HTTP client over the system's libcurl: the only way this service talks to gateways, Apple and merchants.
///
/// Driven by hand, and not by an HTTP library for Swift, because none both promises not to repeat a request and says of a failure
/// whether the request can have arrived (``SendOnce``). One thread runs libcurl's multi interface; Swift tasks await their
/// transfer. TLS 1.2 or later with certificate and host verified, HTTP/1.1 unless HTTP/2 is asked for, connections kept alive
/// (S3); redirects are not followed, and proxies follow libcurl's environment variables (never for loopback addresses).
public final class OutboundClient: Sendable {
    private let queue: SubmissionQueue
    private let thread: Mutex<JoinableThread?>
    private let nextIdentifier = Atomic<UInt64>(0)

    /// Starts the thread. Where the system does not allow that, every `send` fails with `notSent` and says so.
    public init(_ settings: OutboundSettings = OutboundSettings()) {
        let multi = CurlMulti(keptConnections: settings.inFlightLimit)
        let queue = SubmissionQueue(limit: settings.inFlightLimit, multi: multi)
        let thread = JoinableThread(running: { CurlLoop(multi: multi, queue: queue, settings: settings).run() })
        if thread == nil { queue.close(reason: "the system did not allow a thread to be started") }
        self.queue = queue
        self.thread = Mutex(thread)
    }

    deinit { shutdown() }

    /// Sends the request once and waits for the whole answer.
    ///
    /// Ends by the request's timeouts at the latest. Cancelling the task abandons the transfer at once; whether it is
    /// then `notSent` or `unknown` depends on how far it had come, as with every failure.
    public func send(_ request: OutboundRequest) async -> Outcome<OutboundAnswer> {
        let identifier = nextIdentifier.wrappingAdd(1, ordering: .relaxed).newValue
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                queue.submit(
                    SubmissionQueue.Submission(identifier: identifier, request: request, continuation: continuation))
            }
        } onCancel: {
            queue.cancel(identifier)
        }
    }

    /// Fails what is under way, refuses what comes after, closes every connection and waits for the thread to end.
    public func shutdown() {
        queue.close(reason: "the client was shut down")
        thread.withLock { thread in
            thread?.join()
            thread = nil
        }
    }
}
