public import Logging
import OutboundHTTP
import PayrelayPrimitives
public import ServiceLifecycle
import Synchronization

/// A service that sends finished spans in batches to a collector, by OTLP over HTTP in JSON.
///
/// Spans wait in a bounded queue. Spans that do not fit, or that the collector does not accept, are dropped and
/// counted, so that tracing never delays a payment.
public final class SpanExporter: Service {
    private struct Queue {
        var spans: [FinishedSpan] = []
        var dropped = 0
    }

    private let url: String
    private let version: String
    private let logger: Logger
    private let queue = Mutex(Queue())
    private let wake: AsyncStream<Void>
    private let waker: AsyncStream<Void>.Continuation

    /// The maximum time that a span waits for others.
    private static let interval = Duration.seconds(5)
    /// The limits of OpenTelemetry's batch span processor.
    private static let queueMax = 2_048
    private static let batchMax = 512
    /// The time for sending the last batches when the service stops.
    private static let patience = Duration.seconds(5)

    /// - Parameter url: the URL of the collector's traces, such as `https://collector.example/v1/traces`. Plain
    ///   `http` is accepted only on loopback.
    public init(url: String, version: String, logger: Logger) {
        self.url = url
        self.version = version
        self.logger = logger
        (wake, waker) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Whether spans can be sent to the URL.
    public static func takes(url: String) -> Bool { OutboundRequest.takes(url: url) }

    /// Queues a span. Never waits.
    public func export(_ span: FinishedSpan) {
        let isBatch = queue.withLock { queue in
            guard queue.spans.count < Self.queueMax else {
                queue.dropped += 1
                return false
            }
            queue.spans.append(span)
            return queue.spans.count >= Self.batchMax
        }
        if isBatch { waker.yield() }
    }

    /// The number of spans that were dropped.
    public var dropped: Int { queue.withLock { $0.dropped } }

    public func run() async {
        let client = OutboundClient()
        defer { client.shutdown() }
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                group.addTask {
                    while (try? await Task.sleep(for: Self.interval)) != nil { self.waker.yield() }
                }
                for await _ in self.wake { await self.sendAll(with: client, patience: .seconds(10)) }
                group.cancelAll()
            }
        }
        // The remaining spans are sent in a new task, which the shutdown does not cancel.
        await Task { await sendAll(with: client, patience: Self.patience) }.value
    }

    private func sendAll(with client: OutboundClient, patience: Duration) async {
        let deadline = ContinuousClock.now + patience
        while ContinuousClock.now < deadline {
            let batch = queue.withLock { queue in
                let batch = Array(queue.spans.prefix(Self.batchMax))
                queue.spans.removeFirst(batch.count)
                return batch
            }
            guard !batch.isEmpty else { return }
            await send(batch, with: client, timeout: patience)
        }
    }

    private func send(_ batch: [FinishedSpan], with client: OutboundClient, timeout: Duration) async {
        let body = OTLPDocument.document(batch, version: version).encoded()
        let request = OutboundRequest(
            url: url, headers: [("Content-Type", "application/json")], body: body, timeout: timeout, answerLimit: 65_536
        )
        let reason: String
        do throws(NoAnswer) {
            let answer = try await client.send(request).get()
            if (200..<300).contains(answer.status) { return }
            reason = "status \(answer.status)"
        } catch {
            reason = "\(error)"
        }
        queue.withLock { $0.dropped += batch.count }
        logger.warning(
            "spans dropped: the collector did not take them",
            metadata: ["spans": "\(batch.count)", "reason": "\(reason)"])
    }
}
