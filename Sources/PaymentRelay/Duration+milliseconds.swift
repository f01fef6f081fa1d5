extension Duration {
    /// In milliseconds, to the microsecond.
    public var milliseconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) * 1_000 + Double(attoseconds / 1_000_000_000_000) / 1_000
    }
}
