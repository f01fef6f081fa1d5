public import FortAPI

/// Which fault strikes which request: the same requests in the same order meet the same faults, from one seed.
///
/// Each rule counts the requests that concern it and draws once for each, whatever became of the others; so a rule for
/// PURCHASE strikes the same purchases however many queries come between. Of the rules that would strike a request the
/// first does.
public struct FaultSchedule: Sendable, Equatable {
    public let seed: UInt64
    public let rules: [FaultRule]
    /// How many requests each rule concerned, and how many of them it struck.
    public private(set) var met: [Int]
    public private(set) var struck: [Int]

    /// - Parameter rules: the first has precedence.
    public init(seed: UInt64 = 1, _ rules: [FaultRule]) {
        self.seed = seed
        self.rules = rules
        met = rules.map { _ in 0 }
        struck = met
    }

    /// What strikes the next request, if anything.
    ///
    /// - Parameter command: the request's; nil where it names none that FORT has.
    public mutating func next(for command: FortCommand?) -> FaultRule? {
        var striking: Int?
        for (index, rule) in rules.enumerated() where rule.concerns(command) {
            let strikes = draw(met[index], of: index) < rule.probability && struck[index] < rule.count ?? .max
            met[index] += 1
            if strikes && striking == nil { striking = index }
        }
        guard let striking else { return nil }
        struck[striking] += 1
        return rules[striking]
    }

    /// A number from 0 to less than 1, for the n-th request that concerns a rule.
    private func draw(_ request: Int, of rule: Int) -> Double {
        SplitMix64.draw(request, from: SplitMix64.mix(seed &+ UInt64(rule)))
    }
}
