import ApplePayToken
import FortAPI
import Foundation
import OrderedJSON
import OutboundHTTP
import PaymentRelay
import Testing
import TokenMint

@testable import FortProcessor

@Suite struct FortProcessorTests {
    static let fields = [
        "command": "PURCHASE", "merchant_reference": "A", "amount": "10000", "currency": "AED", "language": "en",
        "customer_email": "sara@example.com", "customer_ip": "192.0.2.10",
    ]

    @Test func anOrderIsMadeOfFieldsWithinTheirLimits() throws {
        let fort = try ScriptedFort { _ in .failure(.notSent(reason: "unused")) }
        let order = try fort.processor.order(from: Self.fields, token: fort.token)
        #expect(order.amount == 10_000 && order.command == .purchase && order.currency == "AED")
    }

    @Test func everyFaultIsNamedByItsPathInTheRequest() throws {
        let fort = try ScriptedFort { _ in .failure(.notSent(reason: "unused")) }
        let bare = try PaymentToken(json: ["paymentData": fort.json["paymentData"] ?? .null])
        let error = #expect(throws: OrderFaults.self) {
            try fort.processor.order(from: ["command": "REFUND", "oops": "x"], token: bare)
        }
        let names = Set(error?.faults.map(\.field) ?? [])
        #expect(names.isSuperset(of: ["command", "oops", "amount", "token.paymentMethod.displayName"]))
    }

    @Test(arguments: [
        ("14000", ProcessorAnswer.Meaning.captured), ("13666", .declined), ("13007", .duplicate), ("00008", .declined),
    ])
    func anAnswerToAChargeMeans(code: String, meaning: ProcessorAnswer.Meaning) async throws {
        let fort = try ScriptedFort { sent in .success(sent.answered(["response_code": .string(code)])) }
        let order = try fort.processor.order(from: Self.fields, token: fort.token)
        guard case .answered(let answer) = await fort.processor.charge(order, with: fort.token) else {
            Issue.record("the answer was not believed")
            return
        }
        #expect(answer.meaning == meaning)
    }
}
