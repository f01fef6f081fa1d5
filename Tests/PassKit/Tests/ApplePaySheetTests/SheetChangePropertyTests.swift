import Foundation
import PassKit
import PayrelayAPI
import PayrelayPrimitives
import Testing

@testable import PayrelayClient

/// Sheets in which the customer makes changes, and apps that answer in their own time. A seed decides everything.
@Suite(.timeLimit(.minutes(25))) struct SheetChangePropertyTests {
    @Test(
        "Whatever the customer changes and the app answers: an amount that is sent is the total that the sheet showed")
    func theChargeIsTheLastTotal() async {
        var told: [String: Int] = [:]
        for seed in 0..<3_000 as Range<UInt64> {
            var random = SeededGenerator(seed: seed)
            let clock = ManualClock()
            let app = await ErraticApp(clock, seed)
            let checkout = Checkout(
                SheetPropertyTests.script(&random), sheet: SimulatedSheet(closesOnFailure: Bool.random(using: &random)),
                clock: clock, onChange: { try await app.update($0) })
            let task = checkout.start(asking: [.emailAddress])
            let actions = (0..<Int.random(in: 2...9, using: &random)).map { _ in Int.random(in: 0..<12, using: &random)
            }
            let customer = Task {
                await checkout.sheet.shown()
                for (index, action) in actions.enumerated() {
                    switch action {
                    case 0...1:
                        checkout.sheet.authorize(Checkout.payment(transaction: "\(index)", email: "sara@example.com"))
                    case 2...4: checkout.sheet.select(SheetChangeTests.method("\(index)"))
                    case 5: checkout.sheet.enter(couponCode: "\(index)")
                    case 6: checkout.sheet.select(PKContact())
                    // Wait until every change is answered.
                    case 7...9:
                        while checkout.sheet.isOpen, checkout.sheet.updates.contains(where: \.isEmpty) {
                            await Task.yield()
                        }
                    case 10: checkout.sheet.close()
                    default: try? await clock.sleep(seconds: 14)
                    }
                    await Task.yield()
                }
                checkout.sheet.close()
                task.cancel()
            }
            let outcome = await passing(clock, patience: 300) {
                let outcome = await task.value
                await customer.value
                return outcome
            }
            for _ in 0..<3 { await Task { @MainActor in }.value }
            told[SheetPropertyTests.check(outcome, checkout, seed), default: 0] += 1
            Self.checkAmounts(checkout, actions.enumerated().filter { $0.element <= 1 }.map { "\($0.offset)" }, seed)
            if checkout.relay.sent.contains(where: { $0["amount"] != 10_000 }) { told["changed", default: 0] += 1 }
        }
        for word in ["success", "failure", "uncertain", "cancelled", "error", "changed"] {
            #expect(told[word, default: 0] > 0, "no seed ended as \(word): \(told)")
        }
    }

    private static func checkAmounts(_ checkout: Checkout, _ authorizations: [String], _ seed: UInt64) {
        let (standing, updates) = (checkout.sheet.standing, checkout.sheet.updates)
        for (body, bearer) in zip(checkout.relay.sent, checkout.relay.orderTokens) {
            let transaction = body["token"]?["transactionIdentifier"]?.stringValue ?? ""
            guard let index = authorizations.firstIndex(of: transaction), index < standing.count,
                let total = standing[index].total, let shown = try? MinorUnits(total, .AED)
            else { return #expect(Bool(false), "seed \(seed): \(body)") }
            // A change that the library refuses while it pays may be answered after the next authorization. The total stays.
            for number in standing[index].unanswered {
                let answer = updates[number - 1].first?.total
                #expect(answer == nil || answer == total, "seed \(seed): \(body) before change \(number)")
            }
            #expect(body["amount"] == JSON(shown), "seed \(seed) sent \(body) for \(shown)")
            // The token is the backend's for this amount, or the client's own before any change.
            #expect(bearer == "Bearer token-\(shown)" || bearer == "Bearer order-token", "seed \(seed): \(bearer)")
        }
        #expect(checkout.sheet.updates.allSatisfy { $0.count == 1 }, "seed \(seed): \(checkout.sheet.updates)")
    }
}

/// An app that answers changes in its own time, or not at all.
@MainActor private final class ErraticApp {
    private let clock: ManualClock
    private var random: SeededGenerator

    init(_ clock: ManualClock, _ seed: UInt64) {
        self.clock = clock
        random = SeededGenerator(seed: ~seed)
    }

    func update(_ selection: SheetSelection) async throws -> SheetUpdate {
        let kind = Int.random(in: 0..<20, using: &random)
        let amount = MinorUnits(10_000 + 100 * Int.random(in: 0..<50, using: &random)) ?? 10_000
        // The pause in seconds. An answer after the time limit does not count. Some answers do not end when they are cancelled.
        let pause = Double.random(in: 0...15, using: &random)
        switch kind {
        case 0: throw RelayError.noAnswer
        case 1: return .refused([])
        case 2: try? await clock.sleep(seconds: 2 * pause + 10)
        case 3: await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        case 4...9: try await clock.sleep(seconds: pause)
        case 10...12: for _ in 0..<Int(pause) { await Task.yield() }
        default: break
        }
        return SheetUpdate(amount: amount, orderToken: "token-\(amount)")
    }
}
