import FoundationEssentials
import PayrelayPrimitives

/// How far two moments are apart, in the largest unit that says enough: `40 s`, `6 min`, `3 h`, `12 days`.
struct TimeDistance {
    let words: String

    /// - Parameter seconds: of either sign.
    init(_ seconds: Double) {
        let size = Int(min(abs(seconds), 1e9))
        words =
            switch size {
            case ..<60: "\(size) s"
            case ..<3_600: "\(size / 60) min"
            case ..<86_400: "\(size / 3_600) h"
            default: (size / 86_400).counting("day")
            }
    }
}

extension View {
    /// A moment as a list shows it: how long ago it was (`ago`), beside what ``init(_:)`` has for its exact time.
    init(_ moment: Date?, agoAt now: Date) {
        guard let moment else {
            self = .none
            return
        }
        let distance = now.timeIntervalSince(moment)
        self = [
            "iso": .text(moment.rfc3339), "utc": .text(moment.utcText),
            "ago": .text("\(TimeDistance(distance).words) \(distance < 0 ? "ahead" : "ago")"),
        ]
    }
}
