package import PayrelayPrimitives

/// The number of copies of each message, and their delays.
public struct MessagePace: Sendable, Equatable {
    /// The number of times that each message is sent, as if the gateway had not seen its acknowledgement. With 0
    /// each message is lost.
    public let copies: Int
    /// The delay of each copy in seconds.
    public let delaySeconds: Double
    /// The maximum additional delay of each copy in seconds. It makes messages arrive in any order.
    public let shuffleSeconds: Double
    /// The seed of the additional delays.
    public let seed: UInt64

    public init(copies: Int = 1, delaySeconds: Double = 0, shuffleSeconds: Double = 0, seed: UInt64 = 1) {
        self.copies = copies
        self.delaySeconds = delaySeconds
        self.shuffleSeconds = shuffleSeconds
        self.seed = seed
    }

    /// Returns the delay in seconds of the n-th copy, counted over all messages.
    package func pause(ofCopy number: Int) -> Double {
        delaySeconds + SplitMix64.draw(number, from: seed) * shuffleSeconds
    }
}

extension MessagePace {
    /// The names of the settings that ``init(_:)`` reads.
    package static let settingNames: Set<String> = ["copies", "delay_seconds", "shuffle_seconds", "seed"]

    /// Reads the settings. An invalid setting adds an error to the reader and gets its default.
    package init(_ settings: inout JSONFieldReader) {
        let copies = settings.whole("copies", in: 0...10, "must be a whole number from 0 to 10")
        let delaySeconds = settings.number("delay_seconds", in: 0...600, "must be a number from 0 to 600")
        let shuffleSeconds = settings.number("shuffle_seconds", in: 0...60, "must be a number from 0 to 60")
        let seed = settings.whole("seed", in: 0...UInt64.max, "must be a whole number from 0 to \(UInt64.max)")
        self.init(
            copies: copies ?? 1, delaySeconds: delaySeconds ?? 0, shuffleSeconds: shuffleSeconds ?? 0, seed: seed ?? 1)
    }

    /// The settings as they are shown.
    package var members: [(String, JSON)] {
        [
            ("copies", JSON(copies)), ("delay_seconds", .number("\(delaySeconds)")),
            ("shuffle_seconds", .number("\(shuffleSeconds)")), ("seed", JSON(seed)),
        ]
    }
}
