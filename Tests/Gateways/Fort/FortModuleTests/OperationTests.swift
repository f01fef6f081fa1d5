import FortModule
import Foundation
import PaymentRelay
import PayrelayPrimitives
import Testing

/// FORT may have several charges with one reference. An operation is about the payment's own charge.
@Suite struct OperationTests {
    private static let number = "149295435400084008"

    @Test(arguments: OperationCommand.allCases)
    func anOperationNamesTheCharge(command: OperationCommand) async throws {
        let fort = try ScriptedFort(answering: [:])
        // FORT would refuse the request for a number that is not in FORT's format.
        let cases: [(known: String?, sent: JSON?)] = [
            (Self.number, .string(Self.number)), (nil, nil), ("12a", nil), (String(repeating: "9", count: 21), nil),
        ]
        for (known, sent) in cases {
            let payment = try Self.payment(known)
            let operation = Self.operation(command)
            #expect(fort.gateway.validationErrors(in: payment, operation, fields: [:]).isEmpty)
            _ = await fort.gateway.perform(payment, operation, fields: [:])
            let request = try #require(fort.requests.last)
            #expect(request["fort_id"] == sent && request["merchant_reference"] == "A")
            #expect(request["command"] == .string(command.rawValue))
        }
    }

    @Test func theAnswerAboutAnotherChargeProvesNothing() async throws {
        let cases: [(number: String, meaning: GatewayAnswer.Meaning?)] = [
            (Self.number, .refunded), ("149295435400084009", nil),
        ]
        for (number, meaning) in cases {
            let fort = try ScriptedFort(answering: [
                "response_code": "06000", "status": "06", "fort_id": .string(number),
            ])
            let report = await fort.gateway.perform(
                try Self.payment(Self.number), Self.operation(.refund), fields: [:])
            #expect(report.answer?.meaning == meaning)
            #expect(meaning != nil || report.unknownReason?.contains("fort_id") == true)
        }
    }

    @Test("A query names the charge while an operation is open; other queries let FORT report a second charge")
    func aQuestionAboutAnOpenOperationNamesTheCharge() async throws {
        let fort = try ScriptedFort(answering: ["response_code": "12000"])
        var payment = try Self.payment(Self.number)
        _ = await fort.gateway.status(of: payment)
        for state in PaymentOperation.State.allCases {
            payment.operations = [Self.operation(.refund, state)]
            _ = await fort.gateway.status(of: payment)
            let named: JSON? = state.isOpen ? .string(Self.number) : nil
            #expect(fort.requests.last?["fort_id"] == named, "\(state)")
        }
        #expect(fort.requests.first?["fort_id"] == nil)
        #expect(fort.requests.allSatisfy { $0["merchant_reference"] == "A" })
    }

    /// The amount that is left of an external charge may be any amount. It can always be captured or refunded as a whole.
    @Test(arguments: [(OperationCommand.capture, "VISA"), (.refund, "VISA"), (.refund, "Visa"), (.refund, "MADA")])
    func aVisasAmountOfThreeDecimalsEndsInZeroUnlessItIsAllThatIsLeft(
        command: OperationCommand, network: String
    ) async throws {
        let fort = try ScriptedFort(answering: [:])
        for (amount, currency, isFaulty) in [
            (1_005, "KWD", true), (1_010, "KWD", false), (1_005, "AED", false), (10_005, "KWD", false),
        ] {
            var payment = Payment(
                merchantReference: "A", command: .authorization, amount: 10_005, currency: currency,
                fingerprint: nil, appleTransactionIdentifier: nil, claimedAt: Date(), gateway: "fort")
            if network == "VISA" || network == "MADA" {
                payment.summary = ["payment_option": .string(network)]
            } else {
                payment.customer = CustomerDetails(cardNetwork: network)
            }
            let operation = PaymentOperation(
                command: command, amount: try #require(MinorUnits(amount)), maintenanceReference: nil,
                idempotencyKey: "k", before: Balance(captured: command == .refund ? 10_005 : 0), begunAt: Date())
            let errors = fort.gateway.validationErrors(in: payment, operation, fields: [:])
            #expect(errors.map(\.field) == (isFaulty && network != "MADA" ? ["amount"] : []), "\(amount) \(currency)")
        }
    }

    private static func payment(_ gatewayReference: String?) throws -> Payment {
        var payment = try Samples.payment()
        payment.gatewayReference = gatewayReference
        return payment
    }

    private static func operation(
        _ command: OperationCommand, _ state: PaymentOperation.State = .processing
    ) -> PaymentOperation {
        PaymentOperation(
            command: command, amount: 1_000, maintenanceReference: nil, idempotencyKey: "k",
            before: Balance(captured: 10_000), begunAt: Date(), state: state)
    }
}
