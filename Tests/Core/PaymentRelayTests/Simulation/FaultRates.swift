/// How probable each fault is in one simulation. The seed leaves about half of them out, because a fault that is always
/// there hides what only shows without it.
struct FaultRates: Sendable {
    /// No connection was made, so nothing was sent.
    let notSent: Double
    let requestLost: Double
    /// The request arrives after the relay has stopped waiting for its answer.
    let requestLate: Double
    /// The network delivers the request twice.
    let requestDoubled: Double
    let answerLost: Double
    let answerLate: Double
    /// An answer that FORT did not sign.
    let answerForged: Double
    /// The journal fails and has written nothing.
    let journalFails: Double
    /// The journal reports a failure, and the write is durable all the same.
    let journalFailsLate: Double
    let journalSlow: Double
    /// The primary of the database fails, about twice a minute.
    let failover: Double
    /// The process ends, at each step that it takes.
    let crash: Double
    /// FORT's feedback comes twice.
    let feedbackTwice: Double
    /// The merchant's backend does not take an event.
    let eventRefused: Double
    /// FORT signs an answer that cannot be true.
    let answerSenseless: Double
    /// FORT answers with a status that contradicts its totals.
    let statusContrary: Double
    /// FORT answers without amounts.
    let totalsMissing: Double
    /// FORT answers with totals from before the last operation but one. It goes on after the other faults: see ``SimulatedFort``.
    let totalsStale: Double
    /// FORT keeps a code that settles nothing for what it has refused.
    let codeWithoutEnd: Double
    /// Messages come that another account signed, or that cannot be true.
    let hostileFeedback: Double
    /// FORT takes a second try of a reference whose first one it declined.
    let secondTry: Double
    /// Not a fault: how often FORT sends feedback about a change.
    let feedback: Double
    /// Not a fault: how often a caller asks `/sync`, which must not disturb what is under way.
    let sync: Double

    init(chance: Chance) {
        func rate(upTo most: Double) -> Double { chance.happens(0.5) ? most * chance.fraction() : 0 }
        notSent = rate(upTo: 0.8)
        requestLost = rate(upTo: 0.4)
        requestLate = rate(upTo: 0.8)
        requestDoubled = rate(upTo: 0.5)
        answerLost = rate(upTo: 0.4)
        answerLate = rate(upTo: 0.4)
        answerForged = rate(upTo: 0.5)
        journalFails = rate(upTo: 0.2)
        journalFailsLate = rate(upTo: 0.2)
        journalSlow = rate(upTo: 0.6)
        crash = rate(upTo: 0.06)
        sync = rate(upTo: 0.6)
        feedbackTwice = rate(upTo: 0.8)
        feedback = rate(upTo: 1)
        eventRefused = rate(upTo: 0.8)
        answerSenseless = rate(upTo: 0.5)
        hostileFeedback = rate(upTo: 1)
        secondTry = rate(upTo: 1)
        failover = rate(upTo: 0.6)
        statusContrary = rate(upTo: 0.5)
        totalsMissing = rate(upTo: 0.4)
        totalsStale = rate(upTo: 0.8)
        codeWithoutEnd = rate(upTo: 0.5)
    }
}
