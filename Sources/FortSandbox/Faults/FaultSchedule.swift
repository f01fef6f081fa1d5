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
        let stream = SplitMix64.mix(seed &+ UInt64(rule))
        let bits = SplitMix64.mix(stream &+ UInt64(request) &* SplitMix64.increment)
        return Double(bits >> 11) * 0x1p-53
    }
}

/// The output function of SplitMix64 (Steele, Lea and Flood, 2014).
private enum SplitMix64 {
    static let increment: UInt64 = 0x9E37_79B9_7F4A_7C15

    static func mix(_ state: UInt64) -> UInt64 {
        var bits = state &+ increment
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }
}
