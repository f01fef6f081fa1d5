package import PayrelayPrimitives

/// The counts of a gateway's messages since the start.
package struct MessageCounts: Equatable, Sendable {
    package var underWay = 0
    package var delivered = 0
    /// Tried as often as messages are.
    package var givenUp = 0
    /// Never tried: too many were in flight.
    package var dropped = 0

    package init() {}

    /// As they are shown beside the settings.
    package var members: [(String, JSON)] {
        [
            ("under_way", JSON(underWay)), ("delivered", JSON(delivered)), ("given_up", JSON(givenUp)),
            ("dropped", JSON(dropped)),
        ]
    }
}
