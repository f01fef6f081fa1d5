public import Logging
import OutboundHTTP
import PayrelayPrimitives
public import ServiceLifecycle
import Synchronization

/// Sends finished spans in batches to a collector, by OTLP over HTTP in JSON.
///
/// Spans wait in a bounded queue. What does not fit, and what the collector does not take, is dropped and counted: tracing never
/// holds a payment up.
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

    /// The longest that a span waits for others.
    private static let interval = Duration.seconds(5)
    /// As OpenTelemetry's batch span gateway has them.
    private static let queueMax = 2_048
    private static let batchMax = 512
    /// For the last batches once the service is to stop.
    private static let patience = Duration.seconds(5)

    /// - Parameter url: of the collector's traces, `https://collector.example/v1/traces`; plain http on loopback only.
    public init(url: String, version: String, logger: Logger) {
        self.url = url
        self.version = version
        self.logger = logger
        (wake, waker) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Whether spans can be sent to the URL.
    public static func takes(url: String) -> Bool { OutboundRequest.takes(url: url) }

    /// Takes a span to be sent later. It never waits.
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

    /// How many spans were dropped.
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
        // What is left is sent in a task that the stop does not cancel.
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
