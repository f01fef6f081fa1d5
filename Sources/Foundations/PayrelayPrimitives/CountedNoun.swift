extension BinaryInteger {
    /// Returns the number with a noun, such as `1 day` or `2 days`.
    ///
    /// - Parameters:
    ///   - noun: the noun in the singular.
    ///   - plural: the plural, if it is not the noun with an s.
    public func counting(_ noun: String, plural: String? = nil) -> String {
        self == 1 ? "\(self) \(noun)" : "\(self) \(plural ?? noun + "s")"
    }
}
