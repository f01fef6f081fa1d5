extension UnsafeBufferPointer<UInt8> {
    /// `allSatisfy` that looks at every byte, and at many in one step: a token's values are long, and nearly always good.
    @inlinable package func allSatisfyAtOnce(_ isGood: (UInt8) -> Bool) -> Bool {
        var bad: UInt8 = 0
        for byte in self { bad |= isGood(byte) ? 0 : 1 }
        return bad == 0
    }
}
