import Foundation
import Primitives
import OutboundHTTP
import Synchronization
import Testing

/// The relay that payers find at the moment; after a crash, the next one.
final class RelayAtHand: Sendable {
    private let relay: Mutex<RunningRelay>

    init(_ relay: RunningRelay) { self.relay = Mutex(relay) }

    var current: RunningRelay {
        get { relay.withLock { $0 } }
        set { relay.withLock { $0 = newValue } }
    }
}

/// An app with one order, which sends the very same request until it hears an outcome or that there is none yet.
struct Payer {
    let reference = Orders.reference()
    /// What the sandbox's amounts stand for: mostly success, a decline, silence after the charge.
    private static let amounts = [10_000, 10_000, 10_000, 20_000, 10_012, 10_408]

    /// - Returns: the outcome that was told.
    func pay(at relay: RelayAtHand) async throws -> String {
        let body = try Orders.body(reference, amount: Self.amounts.randomElement() ?? 10_000).json
        let deadline = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < deadline {
            // Nobody there, or no answer: the app cannot know what became of its request.
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
        throw Surprise(reference: reference, status: 0, problem: "no outcome within a minute")
    }

    struct Surprise: Error {
        let reference: String
        let status: Int
        let problem: String?
    }
}

/// What payers were told, by reference.
typealias Told = [String: String]

extension Told {
    /// Lets payers pay, each of them several orders one after the other.
    static func byPayers(_ count: Int, ordersEach: Int, at relay: RelayAtHand) async throws -> Told {
        try await withThrowingTaskGroup { group in
            for _ in 0..<count {
                group.addTask {
                    var told: Told = [:]
                    for _ in 0..<ordersEach {
                        let payer = Payer()
                        told[payer.reference] = try await payer.pay(at: relay)
                    }
                    return told
                }
            }
            return try await group.reduce(into: Told()) { $0.merge($1) { $1 } }
        }
    }
}
