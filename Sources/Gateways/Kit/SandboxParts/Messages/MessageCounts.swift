package import PayrelayPrimitives

/// The numbers of a gateway's messages since the start.
package struct MessageCounts: Equatable, Sendable {
    package var underWay = 0
    package var delivered = 0
    /// The messages that were never acknowledged in the maximum number of attempts.
    package var givenUp = 0
    /// The messages that were never sent, because too many were in flight.
    package var dropped = 0

    package init() {}

    /// The counts as members that are shown beside the settings.
    package var members: [(String, JSON)] {
        [
            ("under_way", JSON(underWay)), ("delivered", JSON(delivered)), ("given_up", JSON(givenUp)),
            ("dropped", JSON(dropped)),
        ]
    }
}
