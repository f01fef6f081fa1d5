import Foundation
import PaymentRelay
import PayrelayPrimitives
import RelayServer
import Testing

@Suite struct PaymentViewTests {
    @Test func anEntryHasItsSourceAndTheQueriesThatChangedNothing() throws {
        let start = Date(timeIntervalSince1970: 1_800_000_000)
        let payment = Payment(
            merchantReference: "A", command: .purchase, amount: 10_000, currency: "AED",
            fingerprint: RequestFingerprint(bytes: [1]), appleTransactionIdentifier: nil, claimedAt: start,
            gateway: "fort")
        let sources: [(HistorySource, String)] = [
            (.client("shop"), "r0"), (.gatewayAnswer, "r0"),
            (.checkStatus(by: .operator("sara")), "r1"),
        ]
        let history = sources.enumerated().map { index, source in
            var entry = HistoryEntry(
                at: start + Double(index), state: .uncertain, source: source.0, requestIdentifier: source.1)
            entry.number = index + 1
            return entry
        }
        let queries = [StatusRequester.reconciler, .client("shop")].map {
            QueryWithoutChange(
                afterEntry: 2, requester: $0, answer: .open, reason: "on hold", first: start, last: start + 60, times: 3
            )
        }
        let entries = try #require(payment.view(with: history, queries: queries)["history"]?.arrayValue)
        #expect(entries[0]["source"] == "client" && entries[0]["client"] == "shop" && entries[0]["asked"] == nil)
        #expect(entries[1]["source"] == "processor_answer" && entries[1]["asked"]?.arrayValue?.count == 2)
        #expect(entries[1]["asked"]?.arrayValue?.first?["times"] == 3)
        #expect(entries[2]["source"] == "check_status" && entries[2]["asked_by"] == "operator")
        #expect(entries[2]["operator"] == "sara" && entries[2]["request_id"] == "r1")
    }
}
