import Foundation
import OutboundHTTP
import PayrelayPrimitives
import Synchronization
import Testing

/// The relay that payers use. After a crash it is the relay's successor.
final class CurrentRelay: Sendable {
    private let relay: Mutex<RunningRelay>

    init(_ relay: RunningRelay) { self.relay = Mutex(relay) }

    var current: RunningRelay {
        get { relay.withLock { $0 } }
        set { relay.withLock { $0 = newValue } }
    }
}

/// An app with one order, which repeats the same request until the answer has an outcome.
struct Payer {
    let reference = Orders.reference()
    var gateway = TestedGateway.fort
    /// Amounts that select outcomes in the sandbox: mostly success, a decline, and no answer after the charge.
    private static let amounts = [10_000, 10_000, 10_000, 20_000, 10_012, 10_408]

    /// - Returns: The outcome in the answer.
    func pay(at relay: CurrentRelay) async throws -> String {
        let body = try Orders.body(reference, amount: Self.amounts.randomElement() ?? 10_000, at: gateway).json
        let deadline = ContinuousClock.now + .seconds(600)
        while ContinuousClock.now < deadline {
            // Without a connection or an answer, the app does not know the outcome of its request.
            if let answer = try? await relay.current.pay(body) {
                switch answer.status {
                case 200, 202: return try #require(answer.outcome)
                case 409 where answer.problem == "in-flight": break
                case 503: break
                default: throw Surprise(reference: reference, status: answer.status, problem: answer.problem)
                }
            }
            try await Task.sleep(for: .milliseconds(Int.random(in: 20...120)))
        }
        throw Surprise(reference: reference, status: 0, problem: "no outcome within ten minutes")
    }

    struct Surprise: Error {
        let reference: String
        let status: Int
        let problem: String?
    }
}

/// The outcomes in answers to payers, by reference.
typealias AnsweredOutcomes = [String: String]

extension AnsweredOutcomes {
    /// Runs payers, each of which pays several orders one after the other, at the gateways in turn.
    static func byPayers(
        _ count: Int, ordersEach: Int, over gateways: [TestedGateway] = [.fort], at relay: CurrentRelay
    ) async throws -> AnsweredOutcomes {
        try await withThrowingTaskGroup { group in
            for number in 0..<count {
                group.addTask {
                    var answered: AnsweredOutcomes = [:]
                    for order in 0..<ordersEach {
                        let payer = Payer(gateway: gateways[(number + order) % gateways.count])
                        answered[payer.reference] = try await payer.pay(at: relay)
                    }
                    return answered
                }
            }
            return try await group.reduce(into: AnsweredOutcomes()) { $0.merge($1) { $1 } }
        }
    }
}
