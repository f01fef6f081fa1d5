import PayrelayPrimitives

/// Sends a request at most once, and decides for a failure whether the request can have arrived.
///
/// libcurl repeats a request by itself when a connection kept alive turns out dead, or an HTTP/2 stream is refused. That could
/// charge twice. So it asks here each time a request is about to go out.
struct SendOnce {
    static let notRepeated = "the connection broke before an answer came, and the request is not repeated"

    private var hasBegun = false

    /// A connection is ready and the request is about to go out on it. False ends the transfer.
    mutating func begin() -> Bool {
        defer { hasBegun = true }
        return !hasBegun
    }

    /// A failure for this reason: `notSent` as long as the request cannot have arrived.
    func failure<Answer>(_ reason: String) -> Outcome<Answer> {
        hasBegun ? .unknown(reason: reason) : .notSent(reason: reason)
    }
}
