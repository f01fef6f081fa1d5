public import PayrelayPrimitives
import Synchronization

/// An HTTP client based on the system's libcurl. It is the only way in which this service connects to gateways,
/// Apple and merchants.
///
/// libcurl is used directly because no HTTP library for Swift both guarantees not to repeat a request and reports
/// for each failure whether the request can have arrived (``SendOnce``). One thread runs libcurl's multi
/// interface; Swift tasks await their transfers.
///
/// - TLS 1.2 or later; the certificate and the host name are verified (S3).
/// - HTTP/1.1, unless HTTP/2 is configured. Connections are kept alive.
/// - Redirects are not followed.
/// - Proxies are taken from libcurl's environment variables, but never for loopback addresses.
public final class OutboundClient: Sendable {
    private let queue: SubmissionQueue
    private let thread: Mutex<JoinableThread?>
    private let nextIdentifier = Atomic<UInt64>(0)

    /// Starts the thread. If the system does not allow that, every `send` fails with `notSent` and that reason.
    public init(_ settings: OutboundSettings = OutboundSettings()) {
        let multi = CurlMulti(keptConnections: settings.inFlightLimit)
        let queue = SubmissionQueue(limit: settings.inFlightLimit, multi: multi)
        let thread = JoinableThread(running: { CurlLoop(multi: multi, queue: queue, settings: settings).run() })
        if thread == nil { queue.close(reason: "the system did not allow a thread to be started") }
        self.queue = queue
        self.thread = Mutex(thread)
    }

    deinit { shutdown() }

    /// Sends the request once and waits for the complete response.
    ///
    /// The call ends when the request's timeouts pass, at the latest. Cancelling the task ends the transfer
    /// immediately. Like for every failure, the outcome is then `notSent` or `unknown`, depending on how far the
    /// request had come.
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

    /// Fails all transfers under way, rejects later ones, closes every connection and waits for the thread to
    /// end.
    public func shutdown() {
        queue.close(reason: "the client was shut down")
        thread.withLock { thread in
            thread?.join()
            thread = nil
        }
    }
}
