import Foundation

/// A strict parser of Prometheus' text format.
struct Exposition {
    struct Fault: Error, CustomStringConvertible {
        let description: String
    }

    struct Sample {
        let name: String
        let labels: [String: String]
        let value: Double
    }

    /// The types by the family's name.
    private(set) var types: [String: String] = [:]
    private(set) var samples: [String: [Sample]] = [:]

    init(_ text: String) throws {
        guard text.hasSuffix("\n") else { throw Fault(description: "the last line has no line feed") }
        var family: (name: String, type: String)?
        for line in text.dropLast().split(separator: "\n", omittingEmptySubsequences: false) {
            if let match = line.wholeMatch(of: #/# HELP ([a-z_:][a-z0-9_:]*) [ -~]+/#) {
                guard types[String(match.1)] == nil else { throw Fault(description: "declared twice: \(line)") }
            } else if let match = line.wholeMatch(of: #/# TYPE ([a-z_:][a-z0-9_:]*) (counter|gauge|histogram)/#) {
                let name = String(match.1)
                guard types.updateValue(String(match.2), forKey: name) == nil else {
                    throw Fault(description: "a second TYPE: \(line)")
                }
                family = (name, String(match.2))
            } else {
                let sample = try Self.sample(line)
                guard let family, Self.names(of: family).contains(sample.name) else {
                    throw Fault(description: "not below its TYPE: \(line)")
                }
                samples[family.name, default: []].append(sample)
            }
        }
        for (name, type) in types {
            try checkLabels(of: name)
            if type == "histogram" { try checkHistogram(name) }
            if type == "counter", !name.hasSuffix("_total") { throw Fault(description: "\(name) is a counter") }
        }
    }

    /// Returns the sum of the samples with these labels. For a histogram, it is the number of observations.
    func value(_ name: String, _ labels: [String: String] = [:]) -> Double {
        let sampleName = types[name] == "histogram" ? name + "_count" : name
        return (samples[name] ?? []).filter { sample in
            sample.name == sampleName && labels.allSatisfy { sample.labels[$0] == $1 }
        }.map(\.value).reduce(0, +)
    }

    private static func names(of family: (name: String, type: String)) -> [String] {
        family.type == "histogram" ? ["_bucket", "_sum", "_count"].map { family.name + $0 } : [family.name]
    }

    private static func sample(_ line: Substring) throws -> Sample {
        guard let match = line.wholeMatch(of: #/([a-z_:][a-z0-9_:]*)(?:\{(.*)\})? ([-+0-9.eEInf]+)/#),
            let value = match.3 == "+Inf" ? .infinity : Double(match.3)
        else { throw Fault(description: "no sample: \(line)") }
        var labels: [String: String] = [:]
        var rest = match.2 ?? ""
        while let pair = rest.prefixMatch(of: #/([a-z_][a-z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(,(?=.)|$)/#) {
            guard labels.updateValue(String(pair.2), forKey: String(pair.1)) == nil else {
                throw Fault(description: "a label twice: \(line)")
            }
            rest = rest[pair.range.upperBound...]
        }
        guard rest.isEmpty else { throw Fault(description: "no labels: \(line)") }
        return Sample(name: String(match.1), labels: labels, value: value)
    }

    /// Checks that each metric has one set of label names, and that no series occurs twice.
    private func checkLabels(of family: String) throws {
        let samples = samples[family] ?? []
        for (name, group) in Dictionary(grouping: samples, by: \.name) {
            guard Set(group.map { Set($0.labels.keys) }).count == 1, Set(group.map(\.labels)).count == group.count
            else {
                throw Fault(description: "\(name) has other labels, or a series twice")
            }
        }
    }

    /// Checks that buckets never decrease, end at +Inf and agree with the count, and that the sum is not negative.
    private func checkHistogram(_ name: String) throws {
        let series = Dictionary(grouping: samples[name] ?? []) { sample in
            sample.labels.filter { $0.key != "le" }
        }
        for (labels, group) in series {
            let buckets = group.filter { $0.name.hasSuffix("_bucket") }
            let bounds = buckets.map { $0.labels["le"] == "+Inf" ? .infinity : Double($0.labels["le"] ?? "") ?? .nan }
            let counts = buckets.map(\.value)
            guard bounds == bounds.sorted(), bounds.last == .infinity, counts == counts.sorted(),
                group.filter({ $0.name == name + "_count" }).map(\.value) == counts.suffix(1),
                let sum = group.first(where: { $0.name == name + "_sum" })?.value, sum >= 0
            else { throw Fault(description: "\(name) \(labels) does not agree with itself") }
        }
    }
}
