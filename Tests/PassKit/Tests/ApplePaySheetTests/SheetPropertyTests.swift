import Foundation
import PassKit
import PayrelayAPI
import PayrelayPrimitives
import Testing

@testable import PayrelayClient

/// Sheets whose customer, relay and iOS are driven by a seed.
@Suite(.timeLimit(.minutes(25))) struct SheetPropertyTests {
    @Test("Whatever happens: each authorization is completed once, no success without money, no cancellation after it")
    func whateverHappens() async {
        var told: [String: Int] = [:]
        for seed in 0..<3_000 as Range<UInt64> {
            var random = SeededGenerator(seed: seed)
            let checkout = Checkout(
                Self.script(&random),
                sheet: SimulatedSheet(
                    presents: Int.random(in: 0..<20, using: &random) > 0,
                    tellsOfDismissal: Int.random(in: 0..<10, using: &random) > 0,
                    closesOnFailure: Bool.random(using: &random)))
            let slot = await MainActor.run { SheetSlot() }
            let task = checkout.start(asking: Bool.random(using: &random) ? [.emailAddress] : [], slot: slot)
            let actions = (0..<Int.random(in: 1...6, using: &random)).map { _ in Int.random(in: 0..<9, using: &random) }
            let customer = Task {
                await checkout.sheet.shown()
                for action in actions {
                    switch action {
                    case 0...3: checkout.sheet.authorize(Checkout.payment(email: "sara@example.com"))
                    case 4: checkout.sheet.authorize(Checkout.payment("no JSON"))
                    case 5: checkout.sheet.close()
                    case 6: task.cancel()
                    default: for _ in 0..<50 { await Task.yield() }
                    }
                    await Task.yield()
                }
                // In the end the time limit closes the sheet.
                checkout.sheet.close()
                task.cancel()
            }
            let outcome = await passing(checkout.clock, patience: 300) { await task.value }
            if checkout.sheet.wasShown { await customer.value }
            // The last completion is on its way to the main thread.
            for _ in 0..<3 { await Task { @MainActor in }.value }
            told[Self.check(outcome, checkout, seed), default: 0] += 1
            #expect(await slot.take(), "seed \(seed) kept the slot")
        }
        for word in ["success", "failure", "uncertain", "cancelled", "error"] {
            #expect(told[word, default: 0] > 0, "no seed ended as \(word): \(told)")
        }
    }

    static func check(_ outcome: Checkout.Outcome, _ checkout: Checkout, _ seed: UInt64) -> String {
        let completions = checkout.sheet.completions
        #expect(completions.allSatisfy { $0.count == 1 }, "seed \(seed): \(completions)")
        let successes = completions.joined().filter { $0.status == .success }.count
        switch outcome {
        case .success(.paid(let result)):
            #expect(successes == (result.isSuccess ? 1 : 0), "seed \(seed): \(result)")
            guard case .uncertain = result else { return result.isSuccess ? "success" : "failure" }
            return "uncertain"
        case .success(.cancelled):
            #expect(checkout.relay.sent.isEmpty, "seed \(seed) was cancelled and sent")
            #expect(successes == 0, "seed \(seed)")
            return "cancelled"
        case .failure:
            #expect(successes == 0, "seed \(seed)")
            return "error"
        }
    }

    static func script(
        _ random: inout SeededGenerator
    ) -> [(seconds: Double, answer: ScriptedRelay.Answer)] {
        let answers: [ScriptedRelay.Answer] = [
            .payment("authorized"), .payment("captured"), .payment("captured"), .payment("declined"),
            .payment("uncertain"), .payment("not_processed"), .failure(.lost("")), .failure(.notSent("")),
            .problem(503, .tooBusy), .problem(422, .tokenRefused), .silence,
            .problem(400, .invalidFields, [ValidationError(field: "customer_email", detail: "is wrong")]),
        ]
        return (0..<Int.random(in: 1...4, using: &random)).map { _ in
            let answer = answers.randomElement(using: &random) ?? .silence
            return (Double.random(in: 0...15, using: &random), answer)
        }
    }
}
