/// A request that FORT would refuse, with every fault in it.
public struct FortFieldErrors: Error, Hashable, Sendable, CustomStringConvertible {
    /// Not empty; several may name the same field.
    public let faults: [FortFieldError]

    public var description: String { faults.map(\.description).joined(separator: "; ") }

    static func throwIfAny(_ faults: [FortFieldError]) throws(FortFieldErrors) {
        if !faults.isEmpty { throw FortFieldErrors(faults: faults) }
    }
}
