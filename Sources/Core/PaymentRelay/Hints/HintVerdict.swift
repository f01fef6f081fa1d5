import FoundationEssentials
import PayrelayPrimitives

/// A hint's next state after a query about its payment. It is decided without I/O.
///
/// | the query | the hint |
/// |---|---|
/// | was not sent, because a request about the payment is on its way | waits for that request's answer |
/// | got no answer | waits |
/// | got an answer that cannot be true | waits for as long as possible. Operators are alerted at each such query |
/// | leaves an operation open, or its answer may be older than the payment's last change | waits |
/// | got an answer without totals, and the hint is about an operation | waits |
/// | settled something, or changed nothing, while the request of an operation may still arrive | is due again |
/// | settled something, or showed a contradiction that is not in the history yet | is answered |
/// | changed nothing | is in vain |
///
/// A hint that waits keeps the numbers of the charges that it names. In the other cases these charges are queried
/// next.
enum HintVerdict: Equatable {
    case wait(until: Date)
    case queryCharges(then: HintEnd)

    /// - Parameters:
    ///   - query: the result of the query.
    ///   - payment: the payment before the query.
    ///   - lastArrival: until when the request of an operation may still arrive at the gateway; `nil` if none may.
    init(for pending: PendingHint, after query: StatusQuery, about payment: Payment, lastArrival: Date?, at now: Date) {
        guard query.wasAsked, !query.payment.isBeingSent else {
            self = .wait(until: now + Self.pauseForAnswer)
            return
        }
        // The gateway is queried once more when the request can no longer arrive. It is also queried at intervals
        // before that, because a hint that comes in the meantime waits with this one.
        let again = lastArrival.map { HintEnd.postponed(until: min($0, now + Self.longestCooldownOfUnknown)) }
        let inVain = HintEnd.inVain(after: pending, longest: Self.longestCooldown, at: now)
        switch query.answer {
        case .unanswered, .notSent: self = .wait(until: now + Self.pauseAfterSilence)
        case .implausible: self = .wait(until: now + Self.longestCooldownOfUnknown)
        case .open:
            // An answer about an open operation says nothing about the rest of the payment.
            let isAboutOthers = query.payment.openOperation != nil || !query.payment.isOpen
            self = isAboutOthers ? .wait(until: now + Self.pauseAfterSilence) : .queryCharges(then: inVain)
        case .unchanged, .contradictory:
            // An external operation shows only in the totals. An answer without totals does not settle a hint about
            // an operation, as long as the gateway still shows the payment.
            if pending.hint.isOfOperation, query.leavesTotalsUnsaid, payment.isShownByGateways(at: now) {
                self = .wait(until: now + Self.pauseAfterSilence)
            } else {
                self = .queryCharges(then: again ?? (query.isNews(since: payment) ? .answered : inVain))
            }
        case nil: self = .queryCharges(then: again ?? .answered)
        }
    }

    /// The answer to the request under way usually says what the hint says.
    static let pauseForAnswer = Duration.seconds(2)
    static let pauseAfterSilence = Duration.seconds(30)
    private static let longestCooldown = Duration.seconds(60)
    static let longestCooldownOfUnknown = Duration.seconds(900)
}

extension HintEnd {
    /// Returns the end of a hint whose query was in vain. Each such query doubles the cooldown, so that a client
    /// that repeats its genuine messages does not occupy the gateway.
    static func inVain(after pending: PendingHint, longest: Duration, at now: Date) -> HintEnd {
        .inVain(cooldownUntil: now + min(longest, .seconds(1 << min(pending.queriesInVain, 16))))
    }
}

extension StatusQuery {
    /// Whether the query changed the payment, or showed a contradiction that the history did not have.
    func isNews(since before: Payment) -> Bool {
        answer == nil || answer == .contradictory && payment.version != before.version
    }
}
