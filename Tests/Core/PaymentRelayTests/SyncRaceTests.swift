import Foundation
import JournalContract
import Logging
import PayrelayPrimitives
import Synchronization
import TestPrograms
import Testing
import UnderWay

@testable import PaymentRelay

@Suite struct SyncRaceTests {
    /// The query reads the claim of the first attempt. The first attempt is not sent, and a second attempt claims the same
    /// reference. Only then the query writes that the first attempt was interrupted.
    @Test func doesNotSettleALaterAttemptByAnEarlierQuery() async throws {
        let disk = MemoryJournal()
        let (isRead, firstIsOver, syncIsPast, mayAnswer) = (Gate(), Gate(), Gate(), Gate())
        let charges = Mutex(0)
        let reads = Mutex(0)
        let gateway = ScriptedGateway(onCharge: { _ in
            let charge = charges.withLock {
                $0 += 1
                return $0
            }
            await (charge == 1 ? isRead : mayAnswer).wait()
            return charge == 1 ? .notSent(reason: "refused") : .answered(GatewayAnswer(.captured))
        })
        let journal = InterleavedJournal(
            inner: disk,
            afterRead: {
                // The first read, before the query has its slot, does not count.
                let read = reads.withLock {
                    $0 += 1
                    return $0
                }
                guard read == 2 else { return }
                isRead.open()
                await firstIsOver.wait()
            },
            beforeTransition: { state in
                guard state == .uncertain else { return }
                syncIsPast.open()
                while charges.withLock({ $0 < 2 }) { await Task.yield() }
            })
        let moment = Date()
        let relay = PaymentRelay(
            policy: .init(verifier: nil, notFoundAfter: .seconds(60)), journal: journal, gateways: .only(gateway),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, now: { moment })
        let request = try SampleRequest.sample("A")

        let first = Task { try? await relay.pay(request) }
        while charges.withLock({ $0 < 1 }) { await Task.yield() }
        let sync = Task {
            _ = try await relay.sync("A")
            syncIsPast.open()
        }
        _ = await first.value
        firstIsOver.open()
        await syncIsPast.wait()
        let second = Task { try await relay.pay(request) }
        while charges.withLock({ $0 < 2 }) { await Task.yield() }
        try await sync.value
        mayAnswer.open()

        #expect(try await second.value.payment.state == .captured)
        #expect(await disk.history(of: "A").map(\.state) == [.processing, .notSent, .processing, .captured])
    }
}

extension SyncRaceTests {
    @Test(
        "An answer about one account's charge says nothing of another account's claim that has taken its reference, and is an alert",
        arguments: [(PaymentState.captured, MinorUnits(integerLiteral: 10_000)), (.declined, .zero)])
    func keepsAccountsApart(known: PaymentState, captured: MinorUnits) async throws {
        let journal = MemoryJournal()
        let seen = Mutex<[Contradiction]>([])
        let made = Payment(
            merchantReference: "A", command: .purchase, amount: 10_000, currency: "AED", fingerprint: nil,
            appleTransactionIdentifier: nil, claimedAt: .wholeSecond, gateway: SampleGateway.name, account: "other",
            state: known, balance: Balance(captured: captured))
        #expect(
            try await journal.record(
                made, because: HistoryEntry(at: .wholeSecond, state: known, balance: made.balance)))
        let relay = Mutex<PaymentRelay?>(nil)
        let gateway = ScriptedGateway(
            onCharge: { _ in .answered(GatewayAnswer(.declined)) },
            onQuery: { _ in
                let paying = relay.withLock { $0 }
                let reply = try? await paying?.pay(SampleRequest.sample("A"))
                #expect(reply?.payment.state == .declined)
                return .answered(GatewayAnswer(.refunded, totals: Balance(captured: 10_000, refunded: 4_000)))
            })
        let asking = PaymentRelay(
            policy: .init(verifier: nil, notFoundAfter: .seconds(60)), journal: journal, gateways: .only(gateway),
            logger: .silent,
            observe: { if case .contradicted(let kind) = $0 { seen.withLock { $0.append(kind) } } })
        relay.withLock { $0 = asking }
        #expect(try await asking.sync("A")?.state == .declined)
        // A known payment with money is reported a second time when the order takes its reference.
        #expect(
            seen.withLock { $0 }
                == (known.hasMoney ? [.chargeInOtherAccount, .chargeInOtherAccount] : [.chargeInOtherAccount]))
        let payment = try #require(await journal.payment("A"))
        #expect(payment.account == "main" && payment.state == .declined && payment.balance == Balance())
    }
}

extension SyncRaceTests {
    @Test("A client's query is about the payment as it is once the query has its slot")
    func readsAgainInItsPlace() async throws {
        let asked = Mutex<[PaymentState]>([])
        let gateway = ScriptedGateway(
            onCharge: { _ in .unknown(reason: "timeout") },
            onQuery: { payment in
                asked.withLock { $0.append(payment.state) }
                return .answered(.paid())
            })
        let isRead = Gate()
        let journal = InterleavedJournal(
            inner: MemoryJournal(), afterRead: { isRead.open() }, beforeTransition: { _ in })
        let relay = PaymentRelay(
            policy: .init(verifier: nil, notFoundAfter: .seconds(60)), journal: journal, gateways: .only(gateway),
            logger: .silent)
        _ = try await relay.pay(.sample("A"))
        relay.syncs[SampleGateway.name]?.change(limit: 0)
        let waiting = Task { try await relay.sync("A") }
        await isRead.wait()
        let known = try #require(await journal.inner.payment("A"))
        #expect(try await relay.queryStatus(of: known, by: .reconciler).payment.state == .captured)
        relay.syncs[SampleGateway.name]?.change(limit: 1)
        #expect(try await waiting.value?.state == .captured)
        #expect(asked.withLock { $0 } == [.uncertain, .captured])
    }

    @Test("R10: an outdated outcome of an operation neither ends nor interrupts an operation that has begun since")
    func keepsOperationsApart() async throws {
        let journal = MemoryJournal()
        let moment = Mutex(Date())
        let unseen = Outcome<GatewayAnswer>.answered(
            GatewayAnswer(.captured, totals: Balance(captured: 10_000)))
        let late = Mutex<(relay: PaymentRelay, payment: Payment)?>(nil)
        let gateway = ScriptedGateway(
            onQuery: { _ in unseen },
            onOperation: { _ in
                if let (relay, earlier) = late.withLock({ $0 }) {
                    let origin = Origin(.recovery, request: nil)
                    let interrupted = await relay.record(.interrupted, on: earlier, from: origin).payment
                    #expect(interrupted.operations.map(\.state) == [.notProcessed, .processing])
                }
                return .unknown(reason: "timeout")
            })
        let relay = PaymentRelay(
            policy: .init(verifier: nil, notFoundAfter: .seconds(60)), journal: journal, gateways: .only(gateway),
            logger: .silent, now: { moment.withLock { $0 } })
        _ = try await relay.pay(.sample("A"))
        _ = try await relay.perform(.sample(.refund, amount: 4_000, reference: "r-1"))
        var sent = try #require(await journal.payment("A"))
        let uncertain = sent
        sent.operations[0].state = .processing
        late.withLock { $0 = (relay, sent) }
        moment.withLock { $0 += 3_601 }
        #expect(try await relay.sync("A")?.operations.map(\.state) == [.notProcessed])
        _ = try await relay.perform(.sample(.refund, amount: 4_000, reference: "r-2"))
        let origin = Origin(.checkStatus(by: .reconciler), request: nil)
        let asked = await relay.record(
            .queried(unseen, timeUncertain: .seconds(3_601)), on: uncertain, from: origin
        ).payment
        #expect(asked.operations.map(\.state) == [.notProcessed, .uncertain])
        moment.withLock { $0 += 3_601 }
        #expect(try await relay.sync("A")?.operations.map(\.state) == [.notProcessed, .notProcessed])
    }

    @Test("R10: how long an earlier claim of a reference was uncertain ends no later one")
    func keepsClaimsApart() async throws {
        let journal = MemoryJournal()
        let gateway = ScriptedGateway(onCharge: { _ in .unknown(reason: "timeout") })
        let relay = PaymentRelay(
            policy: .init(verifier: nil, notFoundAfter: .seconds(60)), journal: journal, gateways: .only(gateway),
            logger: .silent)
        _ = try await relay.pay(.sample("A"))
        let payment = try #require(await journal.payment("A"))
        let earlier = Payment(
            merchantReference: "A", command: payment.command, amount: payment.amount, currency: payment.currency,
            fingerprint: payment.fingerprint, appleTransactionIdentifier: nil, claimedAt: payment.claimedAt - 120,
            gateway: payment.gateway, account: payment.account, state: .uncertain)
        let asked = await relay.record(
            .queried(.answered(GatewayAnswer(.notFound)), timeUncertain: .seconds(60)), on: earlier,
            from: Origin(.checkStatus(by: .reconciler), request: nil)
        ).payment
        #expect(asked.state == .uncertain)
    }
}

/// A journal that runs other code during its calls.
private struct InterleavedJournal: ForwardingJournal {
    let inner: MemoryJournal
    let afterRead: @Sendable () async -> Void
    let beforeTransition: @Sendable (PaymentState) async -> Void

    var target: any Journal { inner }

    func commit(_ change: Change) async -> CommitResult {
        if change.isOutcomeOfCharge { await beforeTransition(change.after.state) }
        return await inner.commit(change)
    }

    func payments(_ merchantReferences: [String]) async -> [Result<Payment, UnreadableRecord>] {
        let payments = await inner.payments(merchantReferences)
        await afterRead()
        return payments
    }
}
