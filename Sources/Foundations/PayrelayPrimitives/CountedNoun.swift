extension BinaryInteger {
    /// The number with a noun: `1 day`, `2 days`.
    ///
    /// - Parameters:
    ///   - noun: in the singular.
    ///   - plural: unless it is the noun with an s.
    public func counting(_ noun: String, plural: String? = nil) -> String {
        self == 1 ? "\(self) \(noun)" : "\(self) \(plural ?? noun + "s")"
    }
}
