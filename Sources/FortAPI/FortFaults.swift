/// A request that FORT would refuse, with every fault in it.
public struct FortFaults: Error, Hashable, Sendable, CustomStringConvertible {
    /// Not empty; several may name the same field.
    public let faults: [FortFault]

    public var description: String { faults.map(\.description).joined(separator: "; ") }

    static func throwIfAny(_ faults: [FortFault]) throws(FortFaults) {
        if !faults.isEmpty { throw FortFaults(faults: faults) }
    }
}
