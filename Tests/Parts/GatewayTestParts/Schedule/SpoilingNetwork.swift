public import Foundation
public import OutboundHTTP
public import PayrelayPrimitives
import Synchronization
import TestPrograms

/// Time that is told: the sandbox's, the gateway's and the relay's.
public final class SimulatedClock: Sendable {
    private let moment = Mutex(Date())

    public init() {}

    public var now: Date { moment.withLock { $0 } }

    func advance(seconds: Int) {
        moment.withLock { $0 += Double(seconds) }
    }
}

/// The way to a gateway: it loses, delays, repeats and spoils what is sent, by a seed, until it is told to stop.
public final class SpoilingNetwork: GatewayTransport {
    /// A gateway's answer to a request, by their bytes; nil for silence.
    public typealias Reply = @Sendable ([UInt8]) async -> [UInt8]?

    /// In seconds: a request that is late arrives within them.
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

    /// From now on everything arrives as it was sent.
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
        // The answer to some other request, which is as genuine.
        case 5: return .answered(OutboundAnswer(status: 200, body: another ?? answer))
        default: return .answered(OutboundAnswer(status: 200, body: answer))
        }
    }

    /// Hands over what was late and is due.
    func deliverLate() async {
        let due = state.withLock { state in
            let due = state.late.filter { $0.due <= clock.now }
            state.late.removeAll { $0.due <= clock.now }
            return due
        }
        for message in due { _ = await reply(message.body) }
    }

    /// The last of the range once the network is healed: nothing happens to a message then.
    private func draw(_ range: ClosedRange<Int>) -> Int {
        state.withLock { state in
            state.isFaulty ? Int.random(in: range, using: &state.generator) : range.upperBound
        }
    }
}
