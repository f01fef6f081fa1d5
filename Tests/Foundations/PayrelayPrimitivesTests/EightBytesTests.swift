import Testing

@testable import PayrelayPrimitives

@Suite struct EightBytesTests {
    /// Bytes on either side of each tested limit. With them, a borrow from one byte could be mistaken for its neighbour's.
    private static let telling: [UInt8] = [
        0x00, 0x01, 0x1F, 0x20, 0x21, 0x22, 0x23, 0x41, 0x5B, 0x5C, 0x5D, 0x7E, 0x7F, 0x80, 0x81, 0xA2, 0xDC, 0xFF,
    ]

    @Test(arguments: 0..<110)
    func findsTheSameByteAsALookAtEachOfThem(length: Int) {
        for _ in 0..<250 {
            // Most bytes are plain, so that a match is not always at the beginning.
            let text = (0..<length).map { _ in
                Int.random(in: 0..<(length < 32 ? 8 : 64)) == 0
                    ? Self.telling[Int.random(in: Self.telling.indices)] : 0x42
            }
            text.withUnsafeBufferPointer { bytes in
                let start = Int.random(in: 0...length)
                func first(where isAsked: (UInt8) -> Bool) -> Int {
                    bytes[start...].firstIndex(where: isAsked) ?? length
                }
                #expect(bytes.firstPlace(from: start) { $0.beyondASCII } == first { $0 >= 0x80 }, "\(text)")
                #expect(bytes.firstPlace(from: start) { $0.below(0x20) } == first { $0 < 0x20 }, "\(text)")
                #expect(bytes.firstPlace(from: start) { $0.equal(to: 0x22) } == first { $0 == 0x22 }, "\(text)")
                #expect(
                    bytes.firstPlace(from: start, where: \.mustBeEscaped)
                        == first { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C }, "\(text)")
                #expect(bytes.hasNone { $0.equal(to: 0x7F) } == !text.contains(0x7F), "\(text)")
            }
        }
    }

    @Test(arguments: 0..<40)
    func textsAreEqualIfAllTheirBytesAre(length: Int) {
        let text = (0..<length).map { _ in UInt8.random(in: 0...255) }
        for place in 0...length {
            var other = text
            if place < length { other[place] ^= UInt8(1 << Int.random(in: 0..<8)) }
            let isSame = text.withUnsafeBufferPointer { text in
                other.withUnsafeBufferPointer { text.hasSameBytes(as: $0) }
            }
            #expect(isSame == (place == length), "\(text), \(other)")
        }
        let longer = text + [0x41]
        let isSame = text.withUnsafeBufferPointer { text in
            longer.withUnsafeBufferPointer { text.hasSameBytes(as: $0) || $0.hasSameBytes(as: text) }
        }
        #expect(!isSame)
    }

    @Test(arguments: 0...255)
    func tellsEveryByteInEveryPlace(byte: Int) {
        let byte = UInt8(byte)
        for place in 0..<8 {
            var text = [UInt8](repeating: UInt8(ascii: "A"), count: 8)
            text[place] = byte
            text.withUnsafeBufferPointer { bytes in
                #expect((bytes.firstPlace(from: 0) { $0.below(0x20) } == place) == (byte < 0x20))
                #expect((bytes.firstPlace(from: 0) { $0.below(0x80) } == 0) == (place > 0 || byte < 0x80))
                #expect((bytes.firstPlace(from: 0) { $0.equal(to: byte) } == place) == (byte != 0x41 || place == 0))
            }
        }
    }
}
