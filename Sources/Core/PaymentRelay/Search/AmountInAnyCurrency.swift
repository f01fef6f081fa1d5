public import PayrelayPrimitives

/// An amount in text without its currency: `349.50` is 34950 in AED, and 349500 in KWD.
public struct AmountInAnyCurrency: Sendable, Equatable {
    /// By the number of decimals that a currency has; without those that are too few for it.
    public let byExponent: [Int: MinorUnits]

    public init(byExponent: [Int: MinorUnits]) {
        self.byExponent = byExponent
    }
}
