import FortAPI
import Primitives

extension FaultSchedule {
    /// The most rules of a schedule.
    static let ruleLimit = 32

    /// As `PUT /_sandbox/faults` takes it.
    ///
    /// - Throws: ``SettingsError`` with every fault in it.
    init(json: JSON) throws(SettingsError) {
        var settings = SettingsReader(json, knowing: ["seed", "faults"])
        let seed = settings.whole("seed", in: 0...UInt64.max, "must be a whole number from 0 to \(UInt64.max)")
        var rules: [FaultRule] = []
        if let list = settings.value("faults")?.arrayValue {
            if list.count > Self.ruleLimit { settings.note("faults", "must be at most \(Self.ruleLimit)") }
            for (index, json) in list.prefix(Self.ruleLimit).enumerated() {
                do throws(SettingsError) {
                    rules.append(try FaultRule(json: json, path: "faults[\(index)]."))
                } catch {
                    settings.note(error.faults)
                }
            }
        } else if json.objectValue != nil {
            settings.note("faults", "must be an array of faults")
        }
        guard settings.faults.isEmpty else { throw SettingsError(faults: settings.faults) }
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
    fileprivate init(json: JSON, path: String) throws(SettingsError) {
        var settings = SettingsReader(
            json, path: path, knowing: ["fault", "probability", "command", "count", "seconds"])
        let fault = settings.choice("fault", of: SandboxFault.allCases, named: \.rawValue)
        if settings.value("fault") == nil { settings.note("fault", "is missing") }
        let probability = settings.number("probability", in: 0...1, "must be a number from 0 to 1")
        let command = settings.choice("command", of: FortCommand.allCases, named: \.rawValue)
        let count = settings.whole("count", in: 1...Int.max, "must be a whole number from 1")
        let seconds = settings.number("seconds", in: 0...60, "must be a number from 0 to 60")
        if fault == .slow, settings.value("seconds") == nil { settings.note("seconds", "is missing") }
        if let fault, fault != .slow, settings.value("seconds") != nil { settings.note("seconds", "is for slow only") }
        guard let fault, settings.faults.isEmpty else { throw SettingsError(faults: settings.faults) }
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
