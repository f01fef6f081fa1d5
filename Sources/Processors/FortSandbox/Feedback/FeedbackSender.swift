import FortAPI
import PayrelayPrimitives
import OutboundHTTP
import ServiceLifecycle
import Synchronization

/// Posts transaction feedback until it is acknowledged: up to ten times, ten seconds apart (mobile SDK guide, 6.8.3).
///
/// Messages are sent concurrently, so one that is not accepted delays no other, and they may arrive in any order, as
/// FORT's may. At most a thousand are in flight; further ones are dropped and counted.
final class FeedbackSender: Sendable {
    /// The counts of messages since the start.
    struct Counts: Equatable {
        var underWay = 0
        var delivered = 0
        /// Tried ten times.
        var givenUp = 0
        /// Never tried: too many were in flight.
        var dropped = 0
    }

    /// A signed message, written for its URL.
    private struct Delivery: Sendable {
        let request: OutboundRequest
        let delay: Duration
    }

    static let limit = 1_000
    static let tries = 10

    private struct State {
        var settings: FeedbackSettings?
        /// How many copies were taken since the settings were made.
        var copies = 0
        var counts = Counts()
    }

    private let interval: Duration
    private let state = Mutex(State())
    private let deliveries: AsyncStream<Delivery>
    private let queue: AsyncStream<Delivery>.Continuation

    /// - Parameter interval: between two tries.
    init(interval: Duration) {
        self.interval = interval
        (deliveries, queue) = AsyncStream.makeStream()
    }

    /// Nil sends nothing. Messages in flight keep their URLs.
    var settings: FeedbackSettings? {
        get { state.withLock { $0.settings } }
        set {
            state.withLock { state in
                state.settings = newValue
                state.copies = 0
            }
        }
    }

    var counts: Counts { state.withLock { $0.counts } }

    /// Takes messages to send; ``run()`` sends them.
    ///
    /// - Parameter signed: signs the parameters of a message.
    func send(_ messages: [FeedbackMessage], signed: (JSONObject) -> JSONObject) {
        guard let settings else { return }
        for message in messages {
            guard let url = settings.url(for: message.kind) else { continue }
            let numbers = (0..<settings.copies).compactMap { _ in takeCopy() }
            if numbers.isEmpty { continue }
            let request = OutboundRequest(
                url: url.url, headers: [(name: "Content-Type", value: settings.format.contentType)],
                body: settings.format.encoded(signed(message.parameters)), timeout: .seconds(10))
            for number in numbers {
                let delay = message.delay + settings.pause(ofCopy: number)
                queue.yield(Delivery(request: request, delay: .seconds(delay)))
            }
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
    func run() async {
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

    /// - Returns: whether it was acknowledged, with 2xx or 302.
    /// - Throws: `CancellationError`.
    private func attempt(_ delivery: Delivery, through client: OutboundClient) async throws -> Bool {
        try await Task.sleep(for: delivery.delay)
        for attempt in 1...Self.tries {
            if attempt > 1 { try await Task.sleep(for: interval) }
            guard case .answered(let answer) = await client.send(delivery.request) else { continue }
            if (200..<300).contains(answer.status) || answer.status == 302 { return true }
        }
        return false
    }
}
