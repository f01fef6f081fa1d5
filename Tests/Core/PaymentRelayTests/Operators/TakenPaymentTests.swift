import Foundation
import JournalContract
import PayrelayPrimitives
import Testing

@testable import PaymentRelay

/// Notes and assignments that operators leave on a payment for each other.
@Suite struct TakenPaymentTests {
    private let journal = MemoryJournal()
    private let relay: PaymentRelay

    init() async throws {
        let gateway = ScriptedGateway(onCharge: { _ in .answered(GatewayAnswer(.captured)) })
        relay = PaymentRelay(
            policy: .init(verifier: nil, notFoundAfter: .seconds(60), recordsEvents: true), journal: journal,
            gateways: .only(gateway), logger: .silent)
        _ = try await relay.pay(.sample("A"))
    }

    private func by(_ name: String, _ actions: Set<OperatorAction> = [.writeNote, .takePayment]) -> OperatorRequest {
        OperatorRequest(operatorName: name, identifier: "1", permitted: actions)
    }

    @Test("one operator has a payment, until that one or a role that may releases it; the history says it once")
    func takesAndReleases() async throws {
        #expect(try await relay.take("A", by: by("sara")) == .done)
        #expect(try await relay.take("A", by: by("sara")) == .done)
        #expect(try await relay.take("A", by: by("omar")) == .takenByAnother("sara"))
        #expect(try await relay.release("A", by: by("omar")) == .takenByAnother("sara"))
        #expect(try await relay.payment("A")?.taken?.operatorName == "sara")
        #expect(try await relay.release("A", by: by("huda", [.takePayment, .releasePayment])) == .done)
        #expect(try await relay.release("A", by: by("huda")) == .done)
        #expect(try await relay.take("A", by: by("omar")) == .done)
        #expect(try await relay.release("A", by: by("omar")) == .done)
        let history = try await relay.history(of: "A").suffix(4)
        #expect(history.map(\.reason) == ["taken", "released", "taken", "released"])
        #expect(history.map(\.operatorName) == ["sara", "huda", "omar", "omar"])
        #expect(history.allSatisfy { $0.event == nil && $0.state == .captured })
        #expect(try await relay.take("none", by: by("sara")) == nil)
    }

    @Test("of many who take a payment at once, one has it") func takesOnce() async throws {
        let results = await withTaskGroup { group in
            for number in 0..<20 {
                group.addTask { [relay] in try? await relay.take("A", by: self.by("o\(number)")) }
            }
            return await group.reduce(into: [MarkedPayment?]()) { $0.append($1) }
        }
        #expect(results.count { $0 == .done } == 1)
        #expect(try await relay.history(of: "A").count { $0.reason == "taken" } == 1)
    }

    @Test("nothing is written while a request about the payment is on its way, and after its lease anything is")
    func waitsForAnAnswer() async throws {
        let claim = Change.sample("B", token: 2, at: Date(), leasedFor: .seconds(86_400))
        #expect(await journal.claim(claim) == .written)
        #expect(try await relay.write(OperatorNote("x"), on: "B", by: by("sara")) == .requestUnderWay)
        #expect(try await relay.take("B", by: by("sara")) == .requestUnderWay)
        #expect(await journal.claim(.sample("C", token: 3, at: Date() - 60)) == .written)
        #expect(try await relay.take("C", by: by("sara")) == .done)
        // The outcome of the charge is recorded even though the payment is assigned.
        let captured = HistoryEntry(at: Date(), state: .captured)
        #expect(try await journal.transition("C", from: .processing, receipt: nil, because: captured))
        #expect(try await relay.payment("C")?.taken?.operatorName == "sara")
    }

    @Test("a note that is written after the customer's data were erased is erased, too") func isErasedAgain()
        async throws
    {
        for _ in 1...2 {
            #expect(try await relay.write(OperatorNote("Sara called"), on: "A", by: by("omar")) == .done)
            #expect(try await relay.history(of: "A").last?.note == "Sara called")
            #expect(
                try await journal.eraseCustomerData(claimedBefore: .distantFuture, at: Date(), knowing: .sample) == 1)
            #expect(try await relay.history(of: "A").allSatisfy { $0.note == nil })
        }
        let history = try await relay.history(of: "A")
        #expect(history.count { $0.reason == "note written" && $0.operatorName == "omar" } == 2)
    }

    @Test("failed events are sent again, for a bounded number of payments at once, and each history names the operator")
    func resendsFailedEvents() async throws {
        let count = PaymentRelay.resentAtOnce + 3
        for number in 0..<count {
            _ = await journal.claim(.sample("F-\(number)", token: 100 + number))
            let entry = HistoryEntry(at: .wholeSecond, state: .captured, event: [1])
            #expect(try await journal.transition("F-\(number)", from: .processing, receipt: nil, because: entry))
        }
        let due = await journal.lease(
            DueEvent.self, of: nil, limit: 9_999, at: .wholeSecond + 1, until: .wholeSecond + 60)
        for event in due where event.merchantReference != "A" { try await journal.postpone(event, until: nil) }
        let sara = by("sara", [.resendEvents])
        #expect(try await relay.resendFailedEvents(by: sara) == .resent(payments: count - 3, areMore: true))
        #expect(try await relay.resendFailedEvents(by: sara) == .resent(payments: 3, areMore: false))
        #expect(try await relay.resendFailedEvents(by: sara) == .resent(payments: 0, areMore: false))
        #expect(await journal.eventSummary().deadLettered == 0)
        var query = ChangeQuery()
        (query.operators, query.limit) = (.named("sara"), 9_999)
        let audited = try await relay.changes(query).changes
        #expect(Set(audited.map(\.merchantReference)).count == count && audited.count == count)
    }

    @Test("failed events of a payment whose record cannot be read are not more that can be sent again")
    func unreadableRecordsAreNotMore() async throws {
        for (number, reference) in ["F-1", "F-2"].enumerated() {
            _ = await journal.claim(.sample(reference, token: 100 + number))
            let entry = HistoryEntry(at: .wholeSecond, state: .captured, event: [1])
            #expect(try await journal.transition(reference, from: .processing, receipt: nil, because: entry))
        }
        let due = await journal.lease(DueEvent.self, of: nil, limit: 99, at: .wholeSecond + 1, until: .wholeSecond + 60)
        for event in due where event.merchantReference != "A" { try await journal.postpone(event, until: nil) }
        let relay = PaymentRelay(
            policy: .init(verifier: nil, notFoundAfter: .seconds(60)),
            journal: OneUnreadable(target: journal, reference: "F-1"), gateways: .only(ScriptedGateway()),
            logger: .silent)
        let sara = by("sara", [.resendEvents])
        #expect(try await relay.resendFailedEvents(by: sara) == .resent(payments: 1, areMore: false))
        #expect(await journal.eventSummary().deadLettered == 1)
    }
}

/// A journal with one unreadable record.
private struct OneUnreadable: ForwardingJournal {
    let target: any Journal
    let reference: String

    func payments(_ merchantReferences: [String]) async throws(JournalError) -> [Result<Payment, UnreadableRecord>] {
        let known = try await target.payments(merchantReferences)
        return known.map { result in
            guard case .success(let payment) = result, payment.merchantReference == reference else { return result }
            return .failure(UnreadableRecord(merchantReference: reference, column: "state"))
        }
    }
}
