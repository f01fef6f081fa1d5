/// Why a listener rejects a request before it reaches a route.
public enum ListenerRejection: Error, Sendable, Equatable {
    /// The body is longer than `limit` bytes, the longest body that any route reads.
    case bodyTooLarge(limit: Int)
    case headersTooLarge
    case malformedRequest
    /// The rest of the request did not arrive in time.
    case requestTooSlow
    /// The bytes or the connection of the request are needed for other clients.
    case tooManyInFlight
    case unknownMethod
}
