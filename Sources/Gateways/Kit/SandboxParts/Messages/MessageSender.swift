package import OutboundHTTP
package import PayrelayPrimitives
import ServiceLifecycle
import Synchronization

/// Sends a gateway's messages until they are acknowledged: up to ten times each.
///
/// Messages are sent concurrently. So a message that is not accepted delays no other message, and messages may
/// arrive in any order. At most a thousand messages are in flight. Further messages are dropped and counted.
package final class MessageSender<Settings: Sendable>: Sendable {
    package typealias Counts = MessageCounts

    /// Whether an answer acknowledges a message.
    package typealias Acknowledgement = @Sendable (OutboundAnswer) -> Bool

    /// A message, encoded for its URL.
    private struct Delivery: Sendable {
        let request: OutboundRequest
        let delay: Duration
        let isAcknowledgement: Acknowledgement
    }

    package static var limit: Int { 1_000 }
    package static var tries: Int { 10 }

    private struct State {
        var settings: Settings?
        /// The number of copies that were accepted since the settings were changed.
        var copies = 0
        var counts = Counts()
    }

    private let interval: Duration
    private let state = Mutex(State())
    private let deliveries: AsyncStream<Delivery>
    private let queue: AsyncStream<Delivery>.Continuation

    /// - Parameter interval: the time between two attempts.
    package init(interval: Duration) {
        self.interval = interval
        (deliveries, queue) = AsyncStream.makeStream()
    }

    package var counts: Counts { state.withLock { $0.counts } }

    /// The destination and format of messages; `nil` if no messages are sent. Messages in flight keep their URLs.
    package var settings: Settings? {
        get { state.withLock { $0.settings } }
        set {
            state.withLock { state in
                state.settings = newValue
                state.copies = 0
            }
        }
    }

    /// Returns the settings of the messages together with their counts.
    package func shown(_ settings: JSONObject) -> JSONObject {
        JSONObject(settings.members.map { ($0.name, $0.value) } + counts.members)
    }

    /// Queues a message. ``run()`` sends it.
    ///
    /// - Parameters:
    ///   - delay: the delay in seconds, to which the delay of each copy is added.
    ///   - request: creates the request. It is called once, and only if a copy is sent.
    package func send(
        after delay: Double = 0, at pace: MessagePace, acknowledgedBy isAcknowledgement: @escaping Acknowledgement,
        _ request: () -> OutboundRequest
    ) {
        let numbers = (0..<pace.copies).compactMap { _ in takeCopy() }
        if numbers.isEmpty { return }
        let request = request()
        for number in numbers {
            let delay = Duration.seconds(delay + pace.pause(ofCopy: number))
            queue.yield(Delivery(request: request, delay: delay, isAcknowledgement: isAcknowledgement))
        }
    }

    /// Reserves a slot for a copy.
    ///
    /// - Returns: the number of the copy; `nil` if the copy is dropped.
    private func takeCopy() -> Int? {
        state.withLock { state in
            guard state.counts.underWay < Self.limit else {
                state.counts.dropped += 1
                return nil
            }
            state.counts.underWay += 1
            state.copies += 1
            return state.copies
        }
    }

    /// Sends the queued messages until the task is cancelled or its service group shuts down. It may run only
    /// once.
    package func run() async {
        let client = OutboundClient(OutboundSettings(inFlightLimit: Self.limit))
        defer { client.shutdown() }
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                for await delivery in self.deliveries {
                    group.addTask { await self.deliver(delivery, through: client) }
                }
            }
        }
    }

    private func deliver(_ delivery: Delivery, through client: OutboundClient) async {
        let isDelivered = try? await attempt(delivery, through: client)
        state.withLock { state in
            state.counts.underWay -= 1
            switch isDelivered {
            case true?: state.counts.delivered += 1
            case false?: state.counts.givenUp += 1
            case nil: break
            }
        }
    }

    /// Makes up to the maximum number of attempts.
    ///
    /// - Returns: whether the message was acknowledged.
    /// - Throws: `CancellationError`.
    private func attempt(_ delivery: Delivery, through client: OutboundClient) async throws -> Bool {
        try await Task.sleep(for: delivery.delay)
        for attempt in 1...Self.tries {
            if attempt > 1 { try await Task.sleep(for: interval) }
            guard case .answered(let answer) = await client.send(delivery.request) else { continue }
            if delivery.isAcknowledgement(answer) { return true }
        }
        return false
    }
}
