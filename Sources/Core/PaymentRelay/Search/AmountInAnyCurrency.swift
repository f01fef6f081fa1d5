public import PayrelayPrimitives

/// An amount in a text without its currency: `349.50` is 34950 in AED, and 349500 in KWD.
public struct AmountInAnyCurrency: Sendable, Equatable {
    /// The amount by the number of a currency's decimals. Numbers of decimals that are too few for the text are
    /// left out.
    public let byExponent: [Int: MinorUnits]

    public init(byExponent: [Int: MinorUnits]) {
        self.byExponent = byExponent
    }
}
