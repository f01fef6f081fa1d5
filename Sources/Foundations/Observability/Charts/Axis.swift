import Glibc

/// An axis of a chart: the values that it shows, and their positions in the picture.
package struct Axis {
    /// How values are spaced along the axis.
    package enum Scale: Sendable {
        case linear
        /// Equal ratios have equal distances.
        case logarithmic
        /// Each further nine has the same distance: 90, 99, 99.9 %.
        case percentile
    }

    let scale: Scale
    let range: ClosedRange<Double>
    /// The position of the lower bound in the picture's units. It may be greater than the position of the upper bound.
    let from: Double
    let to: Double

    func place(of value: Double) -> Double {
        let low = transformed(range.lowerBound)
        let high = transformed(range.upperBound)
        let share =
            high > low ? (transformed(min(max(value, range.lowerBound), range.upperBound)) - low) / (high - low) : 0
        return from + share * (to - from)
    }

    private func transformed(_ value: Double) -> Double {
        switch scale {
        case .linear: value
        case .logarithmic: log10(max(value, 1e-9))
        case .percentile: -log10(max(100 - value, 1e-9) / 100)
        }
    }

    /// The round values at which lines are drawn.
    var ticks: [Double] {
        switch scale {
        case .percentile: [0, 50, 90, 99, 99.9, 99.99, 99.999].filter { $0 <= range.upperBound }
        case .logarithmic:
            // With many powers of ten, the labels of the values between them would overlap.
            powersOfTen.flatMap { powersOfTen.count > 4 ? [$0] : [$0, 2 * $0, 5 * $0] }.filter { range.contains($0) }
        case .linear: linearTicks
        }
    }

    private var powersOfTen: [Double] {
        var powers: [Double] = []
        var power = 1e-6
        while power <= range.upperBound {
            if power * 10 > range.lowerBound { powers.append(power) }
            power *= 10
        }
        return powers
    }

    private var linearTicks: [Double] {
        let width = range.upperBound - range.lowerBound
        guard width > 0 else { return [range.lowerBound] }
        var step = 1e-6
        let factors = [2, 2.5, 2]
        var next = 0
        while width / step > 6 {
            step *= factors[next % 3]
            next += 1
        }
        return Array(stride(from: (range.lowerBound / step).rounded(.up) * step, through: range.upperBound, by: step))
    }

    /// Returns a round value that is not less than `value`, as the upper bound of a range from 0.
    static func roundedUp(_ value: Double) -> Double {
        guard value > 0 else { return 1 }
        var power = 1e-6
        while power * 10 <= value { power *= 10 }
        return [1, 1.5, 2, 3, 4, 5, 6, 8, 10].map { $0 * power }.first { $0 >= value } ?? value
    }
}
