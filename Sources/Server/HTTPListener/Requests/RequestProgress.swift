/// The progress of a connection's present request, and the client's current deadline. Pure.
///
/// No deadline runs while the response is being made. What the client sends meanwhile (RFC 9112, 9.3.2) waits unread, so that it is not
/// late.
struct RequestProgress {
    /// The client's next step, which has a time limit.
    enum Deadline: Equatable {
        /// The head of the first request arrives.
        case head
        /// The rest of the request arrives.
        case body
        /// The client takes what was written to it.
        case answer
        /// The next request arrives.
        case idle
    }

    private var hasHead = false
    /// Whether the rest of the request is to come.
    private(set) var isReceiving = false
    private var isUnanswered = false
    private var hasAnswerBegun = false
    /// Whether the whole answer was written and the client has not taken all of it.
    private(set) var isEndUntaken = false
    /// What was written and the client has not taken, in bytes.
    var unreadBytes = 0

    var isUnread: Bool { unreadBytes > 0 || isEndUntaken }

    var deadline: Deadline? {
        if isUnread { return .answer }
        if !hasHead { return .head }
        if isReceiving { return .body }
        return isUnanswered ? nil : .idle
    }

    /// Whether the next request may begin: the one before it is answered, and the client has taken the answer.
    var mayBegin: Bool { !isReceiving && !isUnanswered && !isUnread }

    /// Whether the listener can answer here and now: no request has come whole, and no answer has begun.
    var isRefusable: Bool { !hasAnswerBegun && !isUnread && isUnanswered == isReceiving }

    /// Whether the request that is coming in has its answer already, or the beginning of it.
    var isAnsweredEarly: Bool { isReceiving && (!isUnanswered || hasAnswerBegun) }

    /// Whether the body is kept for the responder.
    var isBodyKept: Bool { isUnanswered }

    /// The connection's state, from which the eviction chooses.
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
