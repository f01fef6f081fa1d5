import PayrelayPrimitives

/// Ensures that a request is sent at most once, and decides for a failure whether the request can have arrived.
///
/// libcurl repeats a request by itself if a kept-alive connection turns out to be closed, or if an HTTP/2 stream
/// is refused. That could charge twice. So libcurl calls ``begin()`` each time before it sends a request.
struct SendOnce {
    static let notRepeated = "the connection broke before an answer came, and the request is not repeated"

    private var hasBegun = false

    /// Called when a connection is ready and the request is about to be sent on it. Returns false, which ends the
    /// transfer, if the request was sent before.
    mutating func begin() -> Bool {
        defer { hasBegun = true }
        return !hasBegun
    }

    /// Returns a failure with this reason: `notSent` as long as the request cannot have arrived, otherwise
    /// `unknown`.
    func failure<Answer>(_ reason: String) -> Outcome<Answer> {
        hasBegun ? .unknown(reason: reason) : .notSent(reason: reason)
    }
}
