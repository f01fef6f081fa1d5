import PayrelayPrimitives

/// Lets a test select the outcome of one step of an order, whatever its amount, by the end of the order's
/// reference.
package enum ChosenOutcome {
    /// Returns the amount whose outcome a reference selects, in minor units; `nil` if the reference selects none
    /// for this step. A reference that ends in `.void-10408` gives the order's void the outcome of the amount
    /// 10408. So tests can select an outcome for requests without an amount or with a fixed amount.
    ///
    /// - Parameter verb: the word for the step.
    package static func amount(of verb: String, by reference: String) -> Int? {
        let parts = reference.parts(at: ".").last?.parts(at: "-") ?? []
        return parts.count == 2 && parts[0].isExactly(verb) ? Int(parts[1]) : nil
    }
}
