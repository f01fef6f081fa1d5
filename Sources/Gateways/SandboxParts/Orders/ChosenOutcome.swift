import PayrelayPrimitives

/// The way in which a test chooses what becomes of one step of an order, whatever its amount: by the end of the order's reference.
package enum ChosenOutcome {
    /// The amount whose outcome a reference chooses: one that ends in `.void-10408` gives the void of that order the outcome of the
    /// amount 10408, for tests of requests without an amount or with a fixed one.
    ///
    /// - Parameter verb: the word for the step.
    /// - Returns: in minor units; nil where the reference chooses none for it.
    package static func amount(of verb: String, by reference: String) -> Int? {
        let parts = reference.parts(at: ".").last?.parts(at: "-") ?? []
        return parts.count == 2 && parts[0].isExactly(verb) ? Int(parts[1]) : nil
    }
}
