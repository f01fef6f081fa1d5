import PayrelayAPI
import PayrelayClient
import Testing

/// Payments over a simulated network that loses, delays and forges messages, with a simulated clock.
@Suite struct SimulatedScheduleTests {
    @Test("R1: on a faulty network, every reported outcome is true, now and later")
    func nothingIsToldThatIsNotTrue() async {
        var told: [String: Int] = [:]
        for seed in 0..<5_000 as Range<UInt64> {
            let clock = SimulatedClock()
            let relay = SimulatedRelay(seed: seed, clock: clock, isUnreachable: seed % 100 == 0)
            var settings = RelayClient.Settings()
            settings.clock = clock
            let client = RelayClient(.development, transport: relay, settings: settings) { _ in relay.orderToken() }
            // A quarter of the schedules have a time limit longer than the life of a token.
            let limit = TimeLimit.seconds(seed % 4 == 0 ? 400 : 25)
            let answer: String
            do throws(RelayError) {
                let result = try await client.pay(Documents.order, with: Documents.token, within: limit)
                answer = Self.compare(result, relay, seed)
            } catch {
                answer = Self.compare(error, relay, seed)
            }
            told[answer, default: 0] += 1
            #expect(clock.now <= limit.seconds + 1, "seed \(seed) took \(clock.now) s")
            #expect(relay.bodies.count <= 1, "seed \(seed) sent other bytes")
            #expect(relay.chargeCount <= 1, "seed \(seed) was charged \(relay.chargeCount) times")
        }
        for word in [
            "captured", "declined", "notProcessed", "uncertain", "noAnswer", "nothingWasSent", "taken: charged",
            "taken",
        ] {
            #expect(told[word, default: 0] > 0, "no schedule ended as \(word): \(told)")
        }
    }

    private static func compare(_ result: PaymentResult, _ relay: SimulatedRelay, _ seed: UInt64) -> String {
        let truth = relay.finalTruth()
        #expect(!result.isSuccess || !relay.isTakenEarlier, "seed \(seed): told \(result) of another payment")
        switch result {
        case .captured, .authorized:
            #expect(truth == .captured, "seed \(seed): told captured, is \(truth)")
            return "captured"
        case .declined:
            #expect(truth == .declined, "seed \(seed): told declined, is \(truth)")
            return "declined"
        case .notProcessed, .returned:
            #expect(truth == .notProcessed, "seed \(seed): told not processed, is \(truth)")
            return "notProcessed"
        case .uncertain:
            return "uncertain"
        }
    }

    private static func compare(_ error: RelayError, _ relay: SimulatedRelay, _ seed: UInt64) -> String {
        let truth = relay.finalTruth()
        if case .referenceTaken = error, !error.mayHaveBeenCharged {
            #expect(truth != .captured, "seed \(seed): \(error), and the earlier payment is \(truth)")
        } else if !error.mayHaveBeenCharged, !relay.isTakenEarlier {
            #expect(truth == .none, "seed \(seed): \(error), and the order is \(truth)")
        }
        switch error {
        case .referenceTaken: return error.mayHaveBeenCharged ? "taken: charged" : "taken"
        case .noAnswer: return "noAnswer"
        case .nothingWasSent: return "nothingWasSent"
        default: return "\(error)"
        }
    }
}
