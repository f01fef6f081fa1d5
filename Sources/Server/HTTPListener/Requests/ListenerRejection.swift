/// Why a listener answers a request itself, before it reaches a route.
public enum ListenerRejection: Error, Sendable, Equatable {
    /// The body is longer than any that a route reads, which is `limit` bytes.
    case bodyTooLarge(limit: Int)
    case headersTooLarge
    case malformedRequest
    /// The rest of the request did not come in time.
    case requestTooSlow
    /// Others need the room that the request holds.
    case tooManyInFlight
    case unknownMethod
}
