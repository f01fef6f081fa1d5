import FoundationEssentials
import PayrelayPrimitives

/// The time between two moments in the largest suitable unit, such as `40 s`, `6 min`, `3 h` or `12 days`.
struct TimeDistance {
    let words: String

    /// - Parameter seconds: positive or negative.
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
    /// A moment in a list: `ago` is how long ago it was. The other members are those of ``init(_:)``, for the
    /// exact time.
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
