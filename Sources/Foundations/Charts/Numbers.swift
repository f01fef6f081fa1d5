// Numbers for people, without the machine's language getting in: a report reads the same everywhere.

extension Double {
    /// With so many decimals, and commas between thousands.
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
    /// With commas between thousands.
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
    /// With three significant digits and its unit: `850 µs`, `1.25 ms`, `30 s`.
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
    /// Three significant digits, without zeros at the end that say nothing.
    fileprivate var significant: String {
        var text = text(decimals: self < 9.995 ? 2 : self < 99.95 ? 1 : 0)
        guard text.contains(".") else { return text }
        while text.hasSuffix("0") { text.removeLast() }
        if text.hasSuffix(".") { text.removeLast() }
        return text
    }
}

extension Duration {
    /// In seconds.
    package var inSeconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }

    /// In milliseconds.
    package var inMilliseconds: Double { inSeconds * 1e3 }

    /// In whole microseconds, rounded down.
    package var wholeMicroseconds: Int64 {
        components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000
    }
}
