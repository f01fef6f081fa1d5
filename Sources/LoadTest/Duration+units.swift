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
