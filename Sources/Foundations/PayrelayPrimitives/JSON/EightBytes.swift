/// Eight bytes of a text in one word, asked at once: a token's values are long, and nearly always plain.
///
/// An answer has the highest bit of each byte set for which it is yes. Above such a byte there may be others that should
/// not be set; the lowest is always right, and so is none. A byte at a time, reading and writing the JSON of one payment takes 66,000
/// instructions more, 3 % of it.
@usableFromInline package struct EightBytes {
    @usableFromInline package let word: UInt64

    /// Which are not ASCII.
    @inlinable package var beyondASCII: UInt64 { word & Self.each(0x80) }

    /// Which are below a limit, of at most 0x80.
    @inlinable package func below(_ limit: UInt8) -> UInt64 {
        (word &- Self.each(limit)) & ~word & Self.each(0x80)
    }

    /// Which are this byte.
    @inlinable package func equal(to byte: UInt8) -> UInt64 {
        EightBytes(word ^ Self.each(byte)).below(1)
    }

    /// - Parameter word: the first byte is the lowest.
    @inlinable package init(_ word: UInt64) {
        self.word = word
    }

    @inlinable package static func each(_ byte: UInt8) -> UInt64 { UInt64(byte) &* 0x0101_0101_0101_0101 }
}

extension UnsafeBufferPointer<UInt8> {
    /// The place of the first byte from `start` on for which the answer is yes; `count` where there is none. The letter A
    /// must not be such a byte.
    @inlinable package func firstPlace(from start: Int, where asked: (EightBytes) -> UInt64) -> Int {
        precondition(start >= 0)
        var place = start
        // Four words at a time, as long as the answer is no for all of them.
        while place <= count - 32 {
            let found =
                asked(EightBytes(littleEndianWord(at: place))) | asked(EightBytes(littleEndianWord(at: place + 8)))
                | asked(EightBytes(littleEndianWord(at: place + 16)))
                | asked(EightBytes(littleEndianWord(at: place + 24)))
            if found != 0 { break }
            place += 32
        }
        while place <= count - 8 {
            let found = asked(EightBytes(littleEndianWord(at: place)))
            if found != 0 { return place + found.trailingZeroBitCount / 8 }
            place += 8
        }
        guard place < count else { return count }
        let found = asked(eightBytes(from: place))
        return found != 0 ? place + found.trailingZeroBitCount / 8 : count
    }

    /// Whether the other has the same, as many of them and in the same order.
    @inlinable package func hasSameBytes(as other: UnsafeBufferPointer<UInt8>) -> Bool {
        guard count == other.count else { return false }
        guard count >= 8 else { return elementsEqual(other) }
        for place in stride(from: 0, to: count - 8, by: 8)
        where littleEndianWord(at: place) != other.littleEndianWord(at: place) {
            return false
        }
        return littleEndianWord(at: count - 8) == other.littleEndianWord(at: count - 8)
    }

    /// Whether the answer is no for all of them.
    @inlinable package func hasNone(where asked: (EightBytes) -> UInt64) -> Bool {
        firstPlace(from: 0, where: asked) == count
    }

    /// The next eight bytes, from a place of 0 to `count` on; where fewer are left, the letter A stands for the rest.
    @inlinable func eightBytes(from place: Int) -> EightBytes {
        let left = count - place
        guard left < 8 else { return EightBytes(littleEndianWord(at: place)) }
        let filling = EightBytes.each(UInt8(ascii: "A")) << (8 * left)
        if count >= 8 { return EightBytes(littleEndianWord(at: count - 8) >> (8 * (8 - left)) | filling) }
        var word: UInt64 = 0
        withUnsafeMutableBytes(of: &word) { word in
            word.copyMemory(from: UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: self[place...])))
        }
        return EightBytes(UInt64(littleEndian: word) | filling)
    }

    /// Eight bytes that are all there. A place where they are not is a programming error, and traps: a load
    /// by itself is checked in debug builds alone.
    @inlinable func littleEndianWord(at place: Int) -> UInt64 {
        precondition(place >= 0 && place <= count - 8)
        return UInt64(littleEndian: UnsafeRawBufferPointer(self).loadUnaligned(fromByteOffset: place, as: UInt64.self))
    }
}
