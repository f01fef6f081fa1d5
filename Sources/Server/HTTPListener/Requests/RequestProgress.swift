/// The progress of a connection's current request, and the deadline that currently applies to the client. Pure.
///
/// No deadline applies while the response is being prepared. Requests that the client sends in the meantime
/// (pipelining, RFC 9112, 9.3.2) wait unread, so they cannot miss a deadline.
struct RequestProgress {
    /// The client's next step, which has a time limit.
    enum Deadline: Equatable {
        /// The head of the first request must arrive.
        case head
        /// The rest of the request must arrive.
        case body
        /// The client must take the bytes that were written to it.
        case answer
        /// The next request must arrive.
        case idle
    }

    private var hasHead = false
    /// Whether a part of the request is still missing.
    private(set) var isReceiving = false
    private var isUnanswered = false
    private var hasAnswerBegun = false
    /// Whether the whole response was written, but the client has not taken all of it.
    private(set) var isEndUntaken = false
    /// The number of bytes that were written and that the client has not taken.
    var unreadBytes = 0

    var isUnread: Bool { unreadBytes > 0 || isEndUntaken }

    var deadline: Deadline? {
        if isUnread { return .answer }
        if !hasHead { return .head }
        if isReceiving { return .body }
        return isUnanswered ? nil : .idle
    }

    /// Whether the next request may begin: the previous one is answered, and the client has taken the response.
    var mayBegin: Bool { !isReceiving && !isUnanswered && !isUnread }

    /// Whether the listener can still reject the request itself: no complete request waits for its response, and
    /// no response has begun.
    var isRefusable: Bool { !hasAnswerBegun && !isUnread && isUnanswered == isReceiving }

    /// Whether the request that is being received already has its response or the beginning of it.
    var isAnsweredEarly: Bool { isReceiving && (!isUnanswered || hasAnswerBegun) }

    /// Whether the body is kept for the responder.
    var isBodyKept: Bool { isUnanswered }

    /// The state of the connection, by which eviction chooses.
    var standing: TrackedChannel.Standing {
        if isUnread { return .unread }
        if isReceiving { return .receiving }
        return isUnanswered ? .answering : .idle
    }

    mutating func receiveHead() {
        hasHead = true
        isReceiving = true
        isUnanswered = true
    }

    mutating func receiveEnd() { isReceiving = false }

    mutating func beginAnswer() { hasAnswerBegun = true }

    mutating func endAnswer() {
        hasAnswerBegun = false
        isUnanswered = false
        isEndUntaken = true
    }

    mutating func takeAnswer() {
        isEndUntaken = false
        unreadBytes = 0
    }
}
