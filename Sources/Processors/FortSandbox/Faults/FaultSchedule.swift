public import FortAPI
import PayrelayPrimitives

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

/// One line of a ``FaultSchedule``: which fault strikes, how often, and which commands.
public struct FaultRule: Sendable, Equatable {
    public let fault: SandboxFault
    /// From 0, never, to 1, every time.
    public let probability: Double
    /// The command that it strikes; nil for every command, and for requests without one.
    public let command: FortCommand?
    /// How often at the most; nil without limit.
    public let count: Int?
    /// How long a slow answer takes. Other faults ignore it.
    public let seconds: Double

    public init(
        _ fault: SandboxFault, probability: Double = 1, command: FortCommand? = nil, count: Int? = nil,
        seconds: Double = 0
    ) {
        self.fault = fault
        self.probability = probability
        self.command = command
        self.count = count
        self.seconds = seconds
    }

    func concerns(_ command: FortCommand?) -> Bool { self.command == nil || self.command == command }
}

extension FaultSchedule {
    /// The most rules of a schedule.
    static let ruleLimit = 32

    /// As `PUT /_sandbox/faults` takes it.
    ///
    /// - Throws: ``ValidationErrors`` with everything that is wrong with it.
    init(json: JSON) throws(ValidationErrors) {
        var settings = JSONFieldReader(json, knowing: ["seed", "faults"])
        let seed = settings.whole("seed", in: 0...UInt64.max, "must be a whole number from 0 to \(UInt64.max)")
        var rules: [FaultRule] = []
        if let list = settings.value("faults")?.arrayValue {
            if list.count > Self.ruleLimit { settings.add("faults", "must be at most \(Self.ruleLimit)") }
            for (index, json) in list.prefix(Self.ruleLimit).enumerated() {
                do throws(ValidationErrors) {
                    rules.append(try FaultRule(json: json, path: "faults[\(index)]"))
                } catch {
                    settings.add(error.errors)
                }
            }
        } else if json.objectValue != nil {
            settings.add("faults", "must be an array of faults")
        }
        guard settings.errors.isEmpty else { throw ValidationErrors(settings.errors) }
        self.init(seed: seed ?? 1, rules)
    }

    /// As `GET /_sandbox/faults` shows it: with what each rule met and struck so far.
    var json: JSON {
        let shown = zip(rules, zip(met, struck)).map { rule, counts in
            var json = rule.json
            json["met"] = JSON(counts.0)
            json["struck"] = JSON(counts.1)
            return JSON.object(json)
        }
        return ["seed": JSON(seed), "faults": .array(shown)]
    }
}

extension FaultRule {
    fileprivate init(json: JSON, path: String) throws(ValidationErrors) {
        var settings = JSONFieldReader(
            json, path: path, knowing: ["fault", "probability", "command", "count", "seconds"])
        let fault = settings.choice("fault", of: SandboxFault.allCases, named: \.rawValue)
        if settings.value("fault") == nil { settings.add("fault", "is missing") }
        let probability = settings.number("probability", in: 0...1, "must be a number from 0 to 1")
        let command = settings.choice("command", of: FortCommand.allCases, named: \.rawValue)
        let count = settings.whole("count", in: 1...Int.max, "must be a whole number from 1")
        let seconds = settings.number("seconds", in: 0...60, "must be a number from 0 to 60")
        if fault == .slow, settings.value("seconds") == nil { settings.add("seconds", "is missing") }
        if let fault, fault != .slow, settings.value("seconds") != nil { settings.add("seconds", "is for slow only") }
        guard let fault, settings.errors.isEmpty else { throw ValidationErrors(settings.errors) }
        self.init(fault, probability: probability ?? 1, command: command, count: count, seconds: seconds ?? 0)
    }

    fileprivate var json: JSONObject {
        var json: JSONObject = ["fault": .string(fault.rawValue), "probability": .number("\(probability)")]
        json["command"] = command.map { .string($0.rawValue) }
        json["count"] = count.map { JSON($0) }
        if fault == .slow { json["seconds"] = .number("\(seconds)") }
        return json
    }
}
