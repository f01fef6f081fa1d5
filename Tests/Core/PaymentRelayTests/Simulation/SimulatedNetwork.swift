import PaymentRelay
import Synchronization

/// The network between the relay and FORT. It delays, loses, doubles and forges messages, but delivers nothing later than
/// ``longestTransit``, which is less than the relay's `notFoundAfter`.
final class SimulatedNetwork: Sendable {
    /// The result of one exchange as the relay sees it.
    enum Exchange: Sendable {
        case notConnected
        case noAnswer
        case answered(GatewayAnswer, isGenuine: Bool)
    }

    static let timeout = Duration.seconds(30)
    /// The timeout and the time for connecting.
    static let longestExchange = Duration.seconds(55)
    static let longestTransit = Duration.seconds(58)

    private let world: SimulatedWorld
    private let sendings = Mutex(0)
    private let underWay = Mutex(0)

    /// Whether no request is on its way to FORT. Requests whose caller has given up count, too.
    var isAtRest: Bool { underWay.withLock { $0 == 0 } }

    init(world: SimulatedWorld) {
        self.world = world
    }

    /// Sends one request and waits for its answer, until the timeout.
    ///
    /// - Parameter arrive: FORT's handling of the request when it arrives. It gets the number of the sending.
    func exchange(
        _ what: String, canBeDoubled: Bool = true, arrive: @escaping @Sendable (_ sending: Int) -> GatewayAnswer
    ) async -> Exchange {
        if world.strikes(\.notSent) {
            await world.timeline.sleep(world.chance.duration(upTo: .seconds(20)))
            world.note("network: \(what) is not sent")
            return .notConnected
        }
        let sending = sendings.withLock { sendings in
            sendings += 1
            return sendings
        }
        let copies = canBeDoubled && world.strikes(\.requestDoubled) ? 2 : 1
        world.note("network: \(what) is sent, number \(sending), copies \(copies)")
        return await withCheckedContinuation { continuation in
            let reply = FirstAnswer(continuation)
            world.timeline.after(Self.timeout) { reply.give(.noAnswer) }
            for _ in 0..<copies { deliver(sending, to: reply, arrive: arrive) }
        }
    }

    private func deliver(
        _ sending: Int, to reply: FirstAnswer<Exchange>, arrive: @escaping @Sendable (Int) -> GatewayAnswer
    ) {
        if world.strikes(\.requestLost) {
            world.note("network: number \(sending) is lost")
            if world.strikes(\.answerForged) { answerInFortsPlace(sending, to: reply) }
            return
        }
        let transit = world.chance.duration(in: world.strikes(\.requestLate) ? lateMilliseconds() : 5...500)
        underWay.withLock { $0 += 1 }
        world.timeline.after(transit) { [self] in
            underWay.withLock { $0 -= 1 }
            sendBack(arrive(sending), sending, to: reply)
        }
    }

    /// Returns a range for late arrivals. Half of the time it is close to the longest transit: a wrong limit shows at its edge.
    private func lateMilliseconds() -> ClosedRange<Int> {
        let longest = Int(Self.longestTransit.components.seconds) * 1_000
        return world.chance.happens(0.5) ? longest - 4_000...longest : 20_000...longest
    }

    private func sendBack(_ answer: GatewayAnswer, _ sending: Int, to reply: FirstAnswer<Exchange>) {
        if world.strikes(\.answerLost) { return world.note("network: the answer to \(sending) is lost") }
        let isLate = world.strikes(\.answerLate)
        if world.strikes(\.answerForged) { return answerInFortsPlace(sending, to: reply) }
        world.timeline.after(world.chance.duration(in: isLate ? 10_000...40_000 : 5...500)) {
            reply.give(.answered(answer, isGenuine: true))
        }
    }

    private func answerInFortsPlace(_ sending: Int, to reply: FirstAnswer<Exchange>) {
        world.note("network: the answer to \(sending) is forged")
        let meanings: [GatewayAnswer.Meaning] = [.captured, .authorized, .declined, .notFound]
        let meaning = meanings[world.chance.number(in: 0...meanings.count - 1)]
        reply.give(.answered(GatewayAnswer(meaning), isGenuine: false))
    }
}
