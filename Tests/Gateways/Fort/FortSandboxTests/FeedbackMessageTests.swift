import FortAPI
import Foundation
import PayrelayPrimitives
import Testing

@testable import FortSandbox

/// FORT's feedback about each outcome.
@Suite struct FeedbackMessageTests {
    struct Told: Equatable, CustomStringConvertible {
        let kind: FeedbackMessage.Kind
        let code: String?
        let delay: Double

        var description: String { "\(kind) \(code ?? "none") after \(delay)" }
    }

    @Test(
        arguments: [
            (10_000, [Told(kind: .direct, code: "14000", delay: 0)]),
            (10_029, [Told(kind: .direct, code: "13029", delay: 0)]),
            (10_006, [Told(kind: .direct, code: "13006", delay: 0)]),
            (10_408, [Told(kind: .direct, code: "14000", delay: 0)]),
            (
                10_020,
                [
                    Told(kind: .direct, code: "20000", delay: 0),
                    Told(kind: .notification, code: "14000", delay: 10),
                ]
            ),
            (
                15_777,
                [
                    Told(kind: .direct, code: "15777", delay: 0),
                    Told(kind: .notification, code: "14000", delay: 10),
                ]
            ),
        ])
    func aChargeIsSentDirectlyAndNotifiedOnceSettled(amount: Int, expected: [Told]) throws {
        let parameters = try SandboxBench().payment("A", amount: amount).parameters
        let order = try order(parameters)
        #expect(Self.told(order.feedback(on: parameters)) == expected)
        let first = try #require(order.feedback(on: parameters).first?.parameters)
        #expect(first["merchant_reference"] == "A" && first["fort_id"] == .string(order.fortID))
        #expect(first.names.allSatisfy { !$0.hasPrefix("apple_") })
    }

    @Test(arguments: [(1_000, 0.0), (10_408, 0.0), (10_020, 10.0), (15_777, 10.0)])
    func aCaptureIsNotifiedAsDone(amount: Int, delay: Double) throws {
        let bench = try SandboxBench()
        let request = try FortRequest(.capture, merchantReference: "A", amount: String(amount), currency: "AED")
        let parameters = FortMessage(signing: request, for: bench.account).parameters
        let messages = try order(bench.payment("A", .authorization).parameters)
            .feedback(on: SandboxMaintenance(parameters, command: .capture), parameters)
        #expect(Self.told(messages) == [Told(kind: .notification, code: "04000", delay: delay)])
    }

    private func order(_ parameters: JSONObject) throws -> SandboxOrder {
        let command: FortCommand = parameters["command"] == "PURCHASE" ? .purchase : .authorization
        return SandboxOrder(
            try SandboxCharge(parameters, command: command, for: SandboxBench().account), number: 0, at: Date())
    }

    private static func told(_ messages: [FeedbackMessage]) -> [Told] {
        messages.map { Told(kind: $0.kind, code: $0.parameters["response_code"]?.stringValue, delay: $0.delay) }
    }
}
