/// The probability of each fault in one simulation. The seed leaves about half of the faults out: a fault that always strikes
/// hides failures that show only without it.
struct FaultRates: Sendable {
    /// No connection is made, so nothing is sent.
    let notSent: Double
    let requestLost: Double
    /// The request arrives after the relay has stopped waiting for its answer.
    let requestLate: Double
    /// The network delivers the request twice.
    let requestDoubled: Double
    let answerLost: Double
    let answerLate: Double
    /// The answer is not signed by FORT.
    let answerForged: Double
    /// The journal fails and writes nothing.
    let journalFails: Double
    /// The journal reports a failure although the write is durable.
    let journalFailsLate: Double
    let journalSlow: Double
    /// The primary of the database fails, about twice a minute.
    let failover: Double
    /// The process ends, at any step that it takes.
    let crash: Double
    /// FORT's feedback arrives twice.
    let feedbackTwice: Double
    /// The merchant's backend refuses an event.
    let eventRefused: Double
    /// FORT signs an answer that cannot be true.
    let answerSenseless: Double
    /// FORT answers with a status that contradicts its totals.
    let statusContrary: Double
    /// FORT answers without amounts.
    let totalsMissing: Double
    /// FORT answers with totals from before the last operation but one. This fault goes on after the other faults: see
    /// ``SimulatedFort``.
    let totalsStale: Double
    /// FORT keeps an inconclusive code for a request that it has refused.
    let codeWithoutEnd: Double
    /// Signed messages arrive from another account, or with content that cannot be true.
    let hostileFeedback: Double
    /// FORT takes a second attempt with a reference whose first attempt it declined.
    let secondTry: Double
    /// Not a fault: the probability that FORT sends feedback about a change.
    let feedback: Double
    /// Not a fault: the probability that a caller calls `/sync`, which must not disturb a request under way.
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
