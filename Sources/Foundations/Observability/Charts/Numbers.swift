// Numbers for people, independent of the machine's language, so that a report reads the same everywhere.

extension Double {
    /// Returns the number with the given number of decimals, and with commas between thousands.
    package func text(decimals: Int) -> String {
        guard isFinite else { return "–" }
        var scale = 1
        for _ in 0..<decimals { scale *= 10 }
        let rounded = Int((magnitude * Double(scale)).rounded())
        let whole = (rounded / scale).text
        guard decimals > 0 else { return (self < 0 && rounded > 0 ? "-" : "") + whole }
        let fraction = String(rounded % scale)
        let zeros = String(repeating: "0", count: decimals - fraction.count)
        return (self < 0 && rounded > 0 ? "-" : "") + whole + "." + zeros + fraction
    }
}

extension Int {
    /// The number with commas between thousands.
    package var text: String {
        var digits = String(magnitude)
        var place = digits.count - 3
        while place > 0 {
            digits.insert(",", at: digits.index(digits.startIndex, offsetBy: place))
            place -= 3
        }
        return (self < 0 ? "-" : "") + digits
    }
}

extension Duration {
    /// The duration with three significant digits and its unit, such as `850 µs`, `1.25 ms` or `30 s`.
    package var text: String {
        let microseconds = inSeconds * 1e6
        switch microseconds {
        case ..<999.5: return "\(microseconds.text(decimals: 0)) µs"
        case ..<999_500: return "\((microseconds / 1e3).significant) ms"
        default: return "\((microseconds / 1e6).significant) s"
        }
    }
}

extension Double {
    /// The number with three significant digits, without trailing zeros.
    fileprivate var significant: String {
        var text = text(decimals: self < 9.995 ? 2 : self < 99.95 ? 1 : 0)
        guard text.contains(".") else { return text }
        while text.hasSuffix("0") { text.removeLast() }
        if text.hasSuffix(".") { text.removeLast() }
        return text
    }
}

extension Duration {
    /// The duration in seconds.
    package var inSeconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }

    /// The duration in milliseconds.
    package var inMilliseconds: Double { inSeconds * 1e3 }

    /// The duration in whole microseconds, rounded down.
    package var wholeMicroseconds: Int64 {
        components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000
    }
}
