/// The output function of SplitMix64 (Steele, Lea and Flood, 2014).
package enum SplitMix64 {
    private static let increment: UInt64 = 0x9E37_79B9_7F4A_7C15

    /// Returns the n-th number of a seed's sequence, at least 0 and less than 1.
    package static func draw(_ number: Int, from seed: UInt64) -> Double {
        Double(mix(seed &+ UInt64(number) &* increment) >> 11) * 0x1p-53
    }

    static func mix(_ state: UInt64) -> UInt64 {
        var bits = state &+ increment
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }
}
