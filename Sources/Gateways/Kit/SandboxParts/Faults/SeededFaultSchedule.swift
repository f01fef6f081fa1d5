package import PayrelayPrimitives

/// The faults to apply to requests. With the same seed, the same requests in the same order meet the same faults.
///
/// Each rule counts the requests that match it, and draws a number for each of them, whether or not another rule
/// applies. So a rule for one command strikes the same requests however many other requests come between them. If
/// several rules would strike a request, the first one does.
public struct SeededFaultSchedule<Fault: ScheduledFault, Command: FaultyCommand>: Sendable, Equatable {
    public typealias Rule = SeededFaultRule<Fault, Command>

    public let seed: UInt64
    public let rules: [Rule]
    /// The number of requests that each rule matched. ``struck`` is the number of those that the rule struck.
    public private(set) var met: [Int]
    public private(set) var struck: [Int]

    /// - Parameter rules: the rules; an earlier rule has precedence.
    public init(seed: UInt64 = 1, _ rules: [Rule]) {
        self.seed = seed
        self.rules = rules
        met = rules.map { _ in 0 }
        struck = met
    }

    /// Returns the rule that applies to the next request; `nil` if no rule applies.
    ///
    /// - Parameter command: the request's command; `nil` if the gateway has no such command.
    public mutating func next(for command: Command?) -> Rule? {
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

    /// Returns a number of at least 0 and less than 1 for the n-th request that matches a rule.
    private func draw(_ request: Int, of rule: Int) -> Double {
        SplitMix64.draw(request, from: SplitMix64.mix(seed &+ UInt64(rule)))
    }
}

/// A rule of a ``SeededFaultSchedule``: the fault, its frequency, and the commands to which it applies.
public struct SeededFaultRule<Fault: ScheduledFault, Command: FaultyCommand>: Sendable, Equatable {
    public let fault: Fault
    /// The probability, from 0 (never) to 1 (every time).
    public let probability: Double
    /// The command to which the rule applies; `nil` for every request, even without a command.
    public let command: Command?
    /// The maximum number of times that the fault strikes; `nil` for no limit.
    public let count: Int?
    /// The delay of a late fault in seconds. Other faults ignore it.
    public let seconds: Double

    public init(
        _ fault: Fault, probability: Double = 1, command: Command? = nil, count: Int? = nil,
        seconds: Double = 0
    ) {
        self.fault = fault
        self.probability = probability
        self.command = command
        self.count = count
        self.seconds = seconds
    }

    func concerns(_ command: Command?) -> Bool { self.command == nil || self.command == command }
}

extension SeededFaultSchedule {
    /// The maximum number of rules in a schedule.
    package static var ruleLimit: Int { 32 }

    /// Reads a schedule from the settings of a sandbox.
    ///
    /// - Throws: ``ValidationErrors`` with every error in the settings.
    package init(json: JSON) throws(ValidationErrors) {
        var settings = JSONFieldReader(json, knowing: ["seed", "faults"])
        let seed = settings.whole("seed", in: 0...UInt64.max, "must be a whole number from 0 to \(UInt64.max)")
        var rules: [Rule] = []
        if let list = settings.value("faults")?.arrayValue {
            if list.count > Self.ruleLimit { settings.add("faults", "must be at most \(Self.ruleLimit)") }
            for (index, json) in list.prefix(Self.ruleLimit).enumerated() {
                do throws(ValidationErrors) {
                    rules.append(try Rule(json: json, path: "faults[\(index)]"))
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

    /// The schedule as the sandbox shows it, with the number of requests that each rule met and struck so far.
    package var json: JSON {
        let shown = zip(rules, zip(met, struck)).map { rule, counts in
            var json = rule.json
            json["met"] = JSON(counts.0)
            json["struck"] = JSON(counts.1)
            return JSON.object(json)
        }
        return ["seed": JSON(seed), "faults": .array(shown)]
    }
}

extension SeededFaultRule {
    fileprivate init(json: JSON, path: String) throws(ValidationErrors) {
        var settings = JSONFieldReader(
            json, path: path, knowing: ["fault", "probability", Command.settingName, "count", "seconds"])
        let fault = settings.choice("fault", of: Array(Fault.allCases), named: \.rawValue)
        if settings.value("fault") == nil { settings.add("fault", "is missing") }
        let probability = settings.number("probability", in: 0...1, "must be a number from 0 to 1")
        let command = settings.choice(Command.settingName, of: Array(Command.allCases), named: \.rawValue)
        let count = settings.whole("count", in: 1...Int.max, "must be a whole number from 1")
        let seconds = settings.number("seconds", in: 0...60, "must be a number from 0 to 60")
        if fault?.isLate == true, settings.value("seconds") == nil { settings.add("seconds", "is missing") }
        if fault?.isLate == false, settings.value("seconds") != nil {
            let late = Fault.allCases.filter(\.isLate).map(\.rawValue).joined(separator: " and ")
            settings.add("seconds", "is for \(late) only")
        }
        guard let fault, settings.errors.isEmpty else { throw ValidationErrors(settings.errors) }
        self.init(fault, probability: probability ?? 1, command: command, count: count, seconds: seconds ?? 0)
    }

    fileprivate var json: JSONObject {
        var json: JSONObject = ["fault": .string(fault.rawValue), "probability": .number("\(probability)")]
        json[Command.settingName] = command.map { .string($0.rawValue) }
        json["count"] = count.map { JSON($0) }
        if fault.isLate { json["seconds"] = .number("\(seconds)") }
        return json
    }
}
