import Crypto
import JournalContract
import Synchronization

@testable import PaymentRelay

extension PlantedBug {
    static let journals = [
        PlantedBug(
            testDescription: "the claim is written after the charge was sent", sign: "reached FORT by 2 sendings",
            journal: { inner, _ in
                let claims = Claims()
                return FaultyJournal(
                    inner: inner,
                    onClaim: { claim in
                        if let known = try await inner.payment(claim.after.merchantReference),
                            known.state != .notSent
                        {
                            return .referenceTaken(known)
                        }
                        claims.keep(claim)
                        return .written
                    },
                    onOutcome: { change in
                        if let claim = claims.take(change.after.merchantReference) { _ = try await inner.claim(claim) }
                        return try await inner.commit(change)
                    })
            }),
        PlantedBug(
            testDescription: "the journal looks first and writes later", sign: "reached FORT by 2 sendings",
            journal: { inner, _ in
                FaultyJournal(
                    inner: inner,
                    onClaim: { claim in
                        if let known = try await inner.payment(claim.after.merchantReference),
                            known.state != .notSent
                        {
                            return .referenceTaken(known)
                        }
                        let result = try await inner.claim(claim)
                        guard case .referenceTaken = result else { return result }
                        return .written
                    })
            }),
        PlantedBug(
            testDescription: "a claim that fails is not heeded", sign: "and the journal says nothing",
            journal: { inner, _ in
                FaultyJournal(inner: inner, onClaim: { (try? await inner.commit($0)) ?? .written })
            }),
        PlantedBug(
            testDescription: "a token may pay several orders", sign: "one token pays",
            journal: { inner, _ in
                FaultyJournal(
                    inner: inner,
                    onClaim: { try await inner.commit($0.altered(hasToken: false)) })
            }),
        PlantedBug(
            testDescription: "whether a token is held depends on the instance that takes it", sign: "one token pays",
            journal: { inner, world in
                let holds = world.chance.number(in: 0...1) == 1
                return FaultyJournal(
                    inner: inner,
                    onClaim: { try await inner.commit($0.altered(hasToken: holds)) })
            }),
        PlantedBug(
            testDescription: "the outcome is answered before it is recorded", sign: "did not receive that",
            journal: { inner, world in
                FaultyJournal(
                    inner: inner,
                    onOutcome: { change in
                        world.start { _ = try? await inner.commit(change) }
                        return .written
                    })
            }),
        PlantedBug(
            testDescription: "an outcome does not compare the version that was read", sign: "went from",
            journal: { inner, _ in
                FaultyJournal(
                    inner: inner,
                    onOutcome: { change in
                        let known = try await inner.payment(change.after.merchantReference)
                        return try await inner.commit(change.following(known))
                    })
            }),
        PlantedBug(
            testDescription: "what an earlier process left open is forgotten", sign: "and the journal says processing",
            journal: { inner, _ in
                let claims = Claims()
                return FaultyJournal(
                    inner: inner,
                    onClaim: { claim in
                        claims.keep(claim)
                        return try await inner.commit(claim)
                    },
                    onLease: { leased in leased.filter { claims.has($0.merchantReference) } })
            }),
        PlantedBug(
            testDescription: "a replay is rendered anew", sign: "in other words than the journal's",
            journal: { inner, _ in
                let renderedAnew: @Sendable (Payment) -> Payment = { payment in
                    var payment = payment
                    let receipt = Receipt(of: payment, state: payment.state, answer: nil, reason: "replayed")
                    if payment.receipt != nil { payment.receipt = receipt.encoded() }
                    return payment
                }
                return FaultyJournal(
                    inner: inner,
                    onClaim: { claim in
                        let result = try await inner.commit(claim)
                        guard case .referenceTaken(let known) = result else { return result }
                        return .referenceTaken(renderedAnew(known))
                    }, onPayment: renderedAnew)
            }),
        PlantedBug(
            testDescription: "the time to not found is counted from the claim",
            sign: "and the journal says not_processed",
            journal: { inner, _ in
                FaultyJournal(
                    inner: inner,
                    onHistory: { history in
                        history.map { entry in
                            HistoryEntry(
                                at: history.first?.at ?? entry.at, state: entry.state, reason: entry.reason,
                                requestIdentifier: entry.requestIdentifier)
                        }
                    })
            }),
        PlantedBug(
            testDescription: "a history keeps only its last entry", sign: "was rewritten",
            journal: { inner, _ in FaultyJournal(inner: inner, onHistory: { $0.suffix(1) }) }),
    ]
}

/// The claims of one process, in its memory.
private final class Claims: Sendable {
    private let claims = Mutex<[String: Change]>([:])

    func keep(_ claim: Change) {
        claims.withLock { $0[claim.after.merchantReference] = claim }
    }

    func take(_ reference: String) -> Change? {
        claims.withLock { $0.removeValue(forKey: reference) }
    }

    func has(_ reference: String) -> Bool {
        claims.withLock { $0[reference] != nil }
    }
}
