import Foundation
import PayrelayAPI
import PayrelayPrimitives
import TestPrograms
import Testing

@testable import PayrelayClient

/// Today's client reads a later relay's answers by the rule in docs/versions.md. `Tests/Web` tests payrelay.js with the same
/// table.
@Suite struct LaterRelayTests {
    private static let table = Project.url("Tests/ClientSamples/later-relay.json")

    private struct Sample {
        let name: String
        let status: Int
        let body: JSON
        let isLookedUp: Bool
        /// The client's next step: `send`, `read`, or `end`.
        let then: String
        /// The result if the same answer comes until the time is over: `paid`, `not_paid`, `uncertain`, `refused` or
        /// `nothing_sent`.
        let ends: String

        init(_ json: JSON) throws {
            name = try #require(json["name"]?.stringValue)
            guard case .number(let digits) = json["status"], let status = Int(digits) else { throw Unreadable() }
            self.status = status
            body = try #require(json["body"])
            isLookedUp = json["looked_up"] == .bool(true)
            then = try #require(json["then"]?.stringValue)
            ends = try #require(json["ends"]?.stringValue)
        }

        struct Unreadable: Error {}
    }

    private static func samples() throws -> [Sample] {
        try #require(try JSON(parsing: Array(Data(contentsOf: table))).arrayValue).map { try Sample($0) }
    }

    @Test("An unknown outcome is uncertain, an unknown problem counts by its status, and other unknown words are text")
    func aClientOfTodayReadsARelayOfTomorrow() throws {
        let samples = try Self.samples()
        #expect(samples.count > 10)
        for sample in samples {
            let order = AskedOrder(
                merchantReference: Documents.order.merchantReference, order: sample.isLookedUp ? nil : Documents.order)
            let response = TransportResponse(status: sample.status, retryAfter: nil, body: sample.body.encoded())
            var attempts = PaymentAttempts(pays: !sample.isLookedUp)
            let action = attempts.next(
                after: .answered(RelayAnswer(response, about: order)), of: sample.isLookedUp ? .read : .pay,
                canPay: true)
            switch action {
            case .attempt(let step, _):
                #expect(sample.then == (step == .pay ? "send" : "read"), "\(sample.name)")
                #expect(end(attempts.atDeadline()) == sample.ends, "\(sample.name)")
            case .finish(let result):
                #expect(sample.then == "end", "\(sample.name)")
                #expect(end(result) == sample.ends, "\(sample.name)")
            case .authenticateAndRead: Issue.record("\(sample.name)")
            }
        }
    }

    private func end(_ result: Result<PaymentResult, RelayError>) -> String {
        switch result {
        case .success(.uncertain): "uncertain"
        case .success(let result): result.isSuccess ? "paid" : "not_paid"
        case .failure(.nothingWasSent): "nothing_sent"
        case .failure(let error): error.mayHaveBeenCharged ? "uncertain" : "refused"
        }
    }

    @Test("Every word of a document that is not known is kept, and written again as it was read")
    func unknownWordsAreKept() throws {
        let payments = try Self.samples().compactMap { try? PaymentDocument(parsing: $0.body.encoded()) }
        #expect(payments.contains { $0.command.rawValue == "VERIFICATION" })
        #expect(payments.contains { $0.outcome.rawValue == "under_review" })
        let whole = try #require(payments.first { $0.history != nil })
        #expect(whole.answer.responseClass == "celebrated")
        #expect(whole.unproven == ["currency", "moon"])
        #expect(whole.operations.first?.command == "REVERSAL")
        #expect(whole.operations.first?.outcome.rawValue == "scheduled")
        #expect(whole.history?.first?.source == "oracle")
        #expect(whole.history?.first?.askedBy == "moon")
        #expect(whole.history?.first?.feedback == "carrier_pigeon")
        #expect(whole.history?.first?.asked.first?.answer == "maybe")
        for payment in payments {
            #expect(try PaymentDocument(parsing: payment.json.encoded()) == payment)
        }
    }
}
