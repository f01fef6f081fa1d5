#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// The offsets of a zone of the IANA time zone database, as its file has them (RFC 9636, TZif).
package struct TimeZoneRules: Sendable, Equatable {
    /// Before the first transition.
    private let first: Int
    /// In seconds since 1970, ascending, with the offset that begins there.
    private let transitions: [(at: Int, offset: Int)]
    /// For what comes after the last transition.
    private let rule: PosixZoneRule?

    package static func == (one: TimeZoneRules, other: TimeZoneRules) -> Bool {
        one.first == other.first && one.rule == other.rule
            && one.transitions.elementsEqual(other.transitions) { $0 == $1 }
    }

    private static let sizeLimit = 65_536
    /// In seconds, as RFC 9636 bounds it.
    private static let offsets = -89_999...93_599

    /// Nil for what is no such file of version 2 or later, or counts leap seconds.
    package init?(parsing bytes: [UInt8]) {
        guard bytes.count <= Self.sizeLimit, var counts = Counts(bytes, at: 0) else { return nil }
        var place = Counts.length + counts.size(ofTime: 4)
        // Version 1 stands before it, with the times that fit into 32 bits.
        guard let newer = Counts(bytes, at: place), newer.leaps == 0, newer.types > 0 else { return nil }
        counts = newer
        place += Counts.length
        let end = place + counts.size(ofTime: 8)
        guard end <= bytes.count else { return nil }
        let indexes = place + counts.times * 8
        let types = indexes + counts.times
        let offsets = (0..<counts.types).map { Int(Int32(truncatingIfNeeded: Self.number(bytes, types + $0 * 6, 4))) }
        guard offsets.allSatisfy(Self.offsets.contains) else { return nil }
        var transitions: [(at: Int, offset: Int)] = []
        for number in 0..<counts.times {
            let (at, type) = (Self.number(bytes, place + number * 8, 8), Int(bytes[indexes + number]))
            guard type < offsets.count, transitions.last.map({ $0.at < at }) ?? true else { return nil }
            transitions.append((at, offsets[type]))
        }
        let footer = bytes[end...]
        guard footer.count >= 2, footer.first == 0x0A, footer.last == 0x0A else { return nil }
        let text = footer.dropFirst().dropLast()
        rule = text.isEmpty ? nil : PosixZoneRule(parsing: Array(text))
        guard text.isEmpty || rule != nil else { return nil }
        first = offsets[0]
        self.transitions = transitions
    }

    /// How far the zone's clocks are ahead of UTC, in seconds.
    package func offset(at moment: Date) -> Int {
        let exact = moment.timeIntervalSince1970.rounded(.down)
        let second = exact.isFinite ? Int(max(-1e15, min(1e15, exact))) : 0
        guard let last = transitions.last else { return rule?.offset(at: second) ?? first }
        if second >= last.at { return rule?.offset(at: second) ?? last.offset }
        var (low, high) = (0, transitions.count)
        while low < high {
            let middle = (low + high) / 2
            if transitions[middle].at <= second { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? first : transitions[low - 1].offset
    }

    /// Big-endian, with the sign of 8 bytes.
    fileprivate static func number(_ bytes: [UInt8], _ place: Int, _ count: Int) -> Int {
        bytes[place..<place + count].reduce(0) { $0 << 8 | Int($1) }
    }

    /// A header's: how many there are of each.
    private struct Counts {
        let isUT: Int
        let isStandard: Int
        let leaps: Int
        let times: Int
        let types: Int
        let characters: Int

        static let length = 44

        init?(_ bytes: [UInt8], at place: Int) {
            guard place + Self.length <= bytes.count, bytes[place..<place + 4].elementsEqual("TZif".utf8),
                bytes[place + 4] >= UInt8(ascii: "2")
            else { return nil }
            let numbers = (0..<6).map { TimeZoneRules.number(bytes, place + 20 + $0 * 4, 4) }
            guard numbers.allSatisfy({ $0 <= TimeZoneRules.sizeLimit }) else { return nil }
            (isUT, isStandard, leaps) = (numbers[0], numbers[1], numbers[2])
            (times, types, characters) = (numbers[3], numbers[4], numbers[5])
        }

        /// Of the data after the header, in bytes.
        func size(ofTime width: Int) -> Int {
            times * (width + 1) + types * 6 + characters + leaps * (width + 4) + isStandard + isUT
        }
    }
}
