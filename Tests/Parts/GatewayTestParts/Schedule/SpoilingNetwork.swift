public import Foundation
public import OutboundHTTP
public import PayrelayPrimitives
import Synchronization
import TestPrograms

/// The simulated clock of the sandbox, the gateway and the relay.
public final class SimulatedClock: Sendable {
    private let moment = Mutex(Date())

    public init() {}

    public var now: Date { moment.withLock { $0 } }

    func advance(seconds: Int) {
        moment.withLock { $0 += Double(seconds) }
    }
}

/// The network to a gateway. Decided by a seed, it loses, delays, repeats and corrupts messages, until it is healed.
public final class SpoilingNetwork: GatewayTransport {
    /// A gateway's answer to a request, both as bytes. `nil` means no answer.
    public typealias Reply = @Sendable ([UInt8]) async -> [UInt8]?

    /// The longest delay of a late request, in seconds.
    static let longestTransit = 40

    private struct State {
        var generator: SeededGenerator
        var isFaulty = true
        var late: [(due: Date, body: [UInt8])] = []
        var answers: [[UInt8]] = []
    }

    private let clock: SimulatedClock
    private let reply: Reply
    private let state: Mutex<State>

    public init(seed: UInt64, clock: SimulatedClock, reply: @escaping Reply) {
        self.clock = clock
        self.reply = reply
        state = Mutex(State(generator: SeededGenerator(seed: seed)))
    }

    /// Makes the network deliver every message unchanged from now on.
    func heal() { state.withLock { $0.isFaulty = false } }

    public func send(_ request: OutboundRequest) async -> Outcome<OutboundAnswer> {
        switch draw(0...19) {
        case 0: return .notSent(reason: "it cannot be reached")
        case 1: return .unknown(reason: "the request is lost")
        case 2:
            let delay = draw(1...Self.longestTransit)
            state.withLock { $0.late.append((clock.now + Double(delay), request.body)) }
            return .unknown(reason: "the request is late")
        default: break
        }
        guard let answer = await reply(request.body) else { return .unknown(reason: "no answer") }
        let another = state.withLock { state -> [UInt8]? in
            let another = state.answers.randomElement(using: &state.generator)
            state.answers = state.answers.suffix(20) + [answer]
            return another
        }
        switch draw(0...19) {
        case 0, 1: return .unknown(reason: "the answer is lost")
        case 2:
            return .answered(
                OutboundAnswer(status: 200, body: Array(answer.prefix(draw(0...max(0, answer.count - 1))))))
        case 3: return .answered(OutboundAnswer(status: 200, body: Array("<html><body>Bad gateway</body></html>".utf8)))
        case 4: return .answered(OutboundAnswer(status: 502, body: answer))
        // This answer belongs to some other request, and is genuine as well.
        case 5: return .answered(OutboundAnswer(status: 200, body: another ?? answer))
        default: return .answered(OutboundAnswer(status: 200, body: answer))
        }
    }

    /// Delivers the late requests that are due.
    func deliverLate() async {
        let due = state.withLock { state in
            let due = state.late.filter { $0.due <= clock.now }
            state.late.removeAll { $0.due <= clock.now }
            return due
        }
        for message in due { _ = await reply(message.body) }
    }

    /// Draws a number. Once the network is healed, it is the last of the range, which stands for no fault.
    private func draw(_ range: ClosedRange<Int>) -> Int {
        state.withLock { state in
            state.isFaulty ? Int.random(in: range, using: &state.generator) : range.upperBound
        }
    }
}
