import TestPrograms

/// The fault of a connection. It is injected once, after a number of bytes in one direction.
struct ConnectionFault {
    enum Kind: CaseIterable {
        /// Both sides get a TCP reset.
        case reset
        /// Both sides see a regular end of the connection, in the middle of the message.
        case truncate
        /// The receiver sees the end of the stream. Bytes in the other direction still arrive.
        case halfClose
        /// One byte is changed.
        case garble
        /// The remaining bytes are delayed, with a pause longer than the relay's timeout.
        case delay
    }

    enum Direction: CaseIterable {
        case toFort, fromFort
    }

    let kind: Kind
    let direction: Direction
    /// The number of bytes, from the connection's first byte, after which the fault strikes.
    let offset: Int
    /// The pause in milliseconds.
    let pause: Int
    /// The bits to change in a byte, by XOR.
    let mask: UInt8

    /// Makes the fault of one connection of a run, or `nil` for four connections in ten.
    init?(seed: UInt64, connection: Int, kinds: [Kind] = Kind.allCases) {
        var generator = SeededGenerator(seed: seed &+ UInt64(connection) &* 0x1000_0000_01B3)
        guard Int.random(in: 0..<10, using: &generator) >= 4,
            let kind = kinds.randomElement(using: &generator),
            let direction = Direction.allCases.randomElement(using: &generator)
        else { return nil }
        self.kind = kind
        self.direction = direction
        // A charge has about 7,000 bytes and its answer about 1,500, and a connection may be reused.
        offset = Int.random(in: 0..<(direction == .toFort ? 9_000 : 2_500), using: &generator)
        pause = Int.random(in: 1...2_000, using: &generator)
        mask = UInt8.random(in: 1...255, using: &generator)
    }
}
