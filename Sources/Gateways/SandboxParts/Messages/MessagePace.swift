package import PayrelayPrimitives

/// How often a message is sent, and when.
public struct MessagePace: Sendable, Equatable {
    /// How often each message is sent, as if the gateway had not seen its acknowledgement; 0 loses each.
    public let copies: Int
    /// Each copy is delayed by this many seconds.
    public let delaySeconds: Double
    /// Each copy is delayed by at most this many seconds more, so that messages arrive in any order.
    public let shuffleSeconds: Double
    /// The seed of the pauses.
    public let seed: UInt64

    public init(copies: Int = 1, delaySeconds: Double = 0, shuffleSeconds: Double = 0, seed: UInt64 = 1) {
        self.copies = copies
        self.delaySeconds = delaySeconds
        self.shuffleSeconds = shuffleSeconds
        self.seed = seed
    }

    /// By how many seconds the n-th copy is delayed, counted over all messages.
    package func pause(ofCopy number: Int) -> Double {
        delaySeconds + SplitMix64.draw(number, from: seed) * shuffleSeconds
    }
}

extension MessagePace {
    /// The names under which ``init(_:)`` finds it.
    package static let settingNames: Set<String> = ["copies", "delay_seconds", "shuffle_seconds", "seed"]

    /// Reads the settings of these names. What is wrong with one is added to the reader's errors, and its default taken.
    package init(_ settings: inout JSONFieldReader) {
        let copies = settings.whole("copies", in: 0...10, "must be a whole number from 0 to 10")
        let delaySeconds = settings.number("delay_seconds", in: 0...600, "must be a number from 0 to 600")
        let shuffleSeconds = settings.number("shuffle_seconds", in: 0...60, "must be a number from 0 to 60")
        let seed = settings.whole("seed", in: 0...UInt64.max, "must be a whole number from 0 to \(UInt64.max)")
        self.init(
            copies: copies ?? 1, delaySeconds: delaySeconds ?? 0, shuffleSeconds: shuffleSeconds ?? 0, seed: seed ?? 1)
    }

    /// The settings, as they are shown.
    package var members: [(String, JSON)] {
        [
            ("copies", JSON(copies)), ("delay_seconds", .number("\(delaySeconds)")),
            ("shuffle_seconds", .number("\(shuffleSeconds)")), ("seed", JSON(seed)),
        ]
    }
}
