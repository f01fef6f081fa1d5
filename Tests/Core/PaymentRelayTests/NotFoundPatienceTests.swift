import Foundation
import PayrelayPrimitives
import Testing

@testable import PaymentRelay

@Suite struct NotFoundPatienceTests {
    private let patience = NotFoundPatience(
        charge: .seconds(60), operation: .seconds(3_600), refundsShownAfter: .seconds(3 * 86_400))

    private func payment(_ command: OperationCommand, _ state: PaymentOperation.State) -> Payment {
        Payment(
            merchantReference: "A", command: .purchase, amount: 10_000, currency: "UAH",
            fingerprint: RequestFingerprint(bytes: [1]), appleTransactionIdentifier: nil,
            claimedAt: Date(timeIntervalSince1970: 1_800_000_000), gateway: "portmone", state: .captured,
            balance: Balance(captured: 10_000), operations: [.sample(command, 1, state)])
    }

    @Test("R10: a refund that the gateway's totals show late stays open for as long, for answers and for operators")
    func waitsForALateRefund() throws {
        for (command, state, hours) in [
            (.refund, .uncertain, 72), (.refund, .pending, 72), (.capture, .uncertain, 1), (.capture, .pending, 24),
            (.voidAuthorization, .uncertain, 1),
        ] as [(OperationCommand, PaymentOperation.State, Int)] {
            let payment = payment(command, state)
            let open = try #require(payment.openOperation)
            let time = Duration.seconds(hours * 3_600)
            #expect(patience.duration(for: payment) == time)
            let answer = GatewayAnswer(.captured, totals: Balance(captured: 10_000))
            #expect(patience.isOver(for: open, after: time, answer: answer))
            #expect(!patience.isOver(for: open, after: time - .seconds(1), answer: answer))
        }
    }
}
