import PayrelayPrimitives

/// Sends a request at most once, and decides for a failure whether the request can have arrived.
///
/// libcurl repeats a request by itself when a connection kept alive turns out dead, or an HTTP/2 stream is refused. Before a byte
/// of the body has left that is harmless; afterwards it could charge twice. So it asks here each time a request is about to go
/// out. It has no seek callback either: it cannot rewind a body to send it again.
struct SendOnce {
    static let notRepeated = "the connection broke before an answer came, and the request is not repeated"

    private let hasBody: Bool
    /// Whether the request can have arrived: libcurl has asked for its body or, where it has none, has begun to send it.
    private var mayHaveArrived = false

    init(hasBody: Bool) {
        self.hasBody = hasBody
    }

    /// A connection is ready and the request is about to go out on it. False ends the transfer.
    mutating func begin() -> Bool {
        guard !mayHaveArrived else { return false }
        mayHaveArrived = !hasBody
        return true
    }

    /// libcurl asks for a piece of the body: from here on, bytes of it may have left.
    mutating func bodyLeaves() {
        mayHaveArrived = true
    }

    /// A failure for this reason: `notSent` as long as the request cannot have arrived.
    func failure<Answer>(_ reason: String) -> Outcome<Answer> {
        mayHaveArrived ? .unknown(reason: reason) : .notSent(reason: reason)
    }
}
