package import OutboundHTTP
package import PayrelayPrimitives
import ServiceLifecycle
import Synchronization

/// Posts a gateway's messages until they are acknowledged: up to ten times.
///
/// Messages are sent concurrently, so one that is not accepted delays no other, and they may arrive in any order. At most a
/// thousand are in flight; further ones are dropped and counted.
package final class MessageSender<Settings: Sendable>: Sendable {
    package typealias Counts = MessageCounts

    /// Whether an answer acknowledges a message.
    package typealias Acknowledgement = @Sendable (OutboundAnswer) -> Bool

    /// A message, written for its URL.
    private struct Delivery: Sendable {
        let request: OutboundRequest
        let delay: Duration
        let isAcknowledgement: Acknowledgement
    }

    package static var limit: Int { 1_000 }
    package static var tries: Int { 10 }

    private struct State {
        var settings: Settings?
        /// How many copies were taken since the settings were made.
        var copies = 0
        var counts = Counts()
    }

    private let interval: Duration
    private let state = Mutex(State())
    private let deliveries: AsyncStream<Delivery>
    private let queue: AsyncStream<Delivery>.Continuation

    /// - Parameter interval: between two tries.
    package init(interval: Duration) {
        self.interval = interval
        (deliveries, queue) = AsyncStream.makeStream()
    }

    package var counts: Counts { state.withLock { $0.counts } }

    /// Where messages go, and how; nil sends none. Messages in flight keep their URLs.
    package var settings: Settings? {
        get { state.withLock { $0.settings } }
        set {
            state.withLock { state in
                state.settings = newValue
                state.copies = 0
            }
        }
    }

    /// The settings of the messages, with the counts of them.
    package func shown(_ settings: JSONObject) -> JSONObject {
        JSONObject(settings.members.map { ($0.name, $0.value) } + counts.members)
    }

    /// Takes a message to send; ``run()`` sends it.
    ///
    /// - Parameters:
    ///   - delay: in seconds, before the pauses of its copies.
    ///   - request: made once, and only where a copy is sent.
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

    /// Makes room for one more.
    ///
    /// - Returns: its number; nil where it is dropped.
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

    /// Sends what is to be sent, until the task is cancelled or its service group shuts down. Runs once.
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

    /// - Returns: whether it was acknowledged.
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
