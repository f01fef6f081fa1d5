import Foundation
import OutboundHTTP
import PayrelayPrimitives
import Testing

import struct PayrelayAPI.OperationDocument
import struct PayrelayAPI.PaymentDocument
import struct PayrelayAPI.ProblemDocument

/// The types with which apps read answers, compared with the service's answers.
@Suite struct APITypesTests {
    @Test("Every answer about a payment is read by the API's types and written again byte by byte")
    func areTheSameOnBothSides() async throws {
        let relay = try await RunningRelay()
        for amount in [10_000, 10_012, 15_777] {
            let order = try Orders.body(amount: amount)
            let reference = try #require(order["merchant_reference"]?.stringValue)
            try expectPayment(await relay.pay(order.json))
            try expectPayment(await relay.get("/v1/payments/\(reference)"))
        }
        let authorization = try Orders.body().with(["command": "AUTHORIZATION"])
        let reference = try #require(authorization["merchant_reference"]?.stringValue)
        try expectPayment(await relay.pay(authorization))
        for (path, body) in [
            ("capture", ["amount": 4_000]), ("refund", ["amount": 1_500, "maintenance_reference": "R-1"]),
        ] as [(String, JSON)] {
            let answer = try await relay.post("/v1/payments/\(reference)/\(path)", body.encoded())
            #expect(try OperationDocument(parsing: answer.body).json.encoded() == answer.body)
        }
        try expectPayment(await relay.get("/v1/payments/\(reference)"))
        let refused = [
            try await relay.pay([:]), try await relay.get("/v1/payments/none"), try await relay.get("/v1"),
            try await relay.post("/v1/payments/\(reference)/void", Array("{}".utf8)),
        ]
        for answer in refused { #expect(try ProblemDocument(parsing: answer.body).json.encoded() == answer.body) }
    }

    private func expectPayment(_ answer: OutboundAnswer) throws {
        let text = String(decoding: answer.body, as: UTF8.self)
        #expect(try String(decoding: PaymentDocument(parsing: answer.body).json.encoded(), as: UTF8.self) == text)
    }
}
