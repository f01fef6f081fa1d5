/// The progress of the requests of one connection, and the client's current deadline. Pure.
///
/// No read deadline runs while a response is pending. Bytes that the client sends meanwhile (RFC 9112, 9.3.2) may stay
/// unread until then, so that they are not late.
struct RequestProgress {
    /// The client's next step, which has a time limit.
    enum ReadDeadline: Equatable {
        /// The head of the first request arrives.
        case head
        /// The rest of the request arrives.
        case body
        /// The client reads the response.
        case answer
    }

    private var hasHead = false
    private var isReceiving = false
    private var unanswered = 0
    private var hasAnswerBegun = false
    /// Whether the client reads the response: bytes can be written to it.
    var isWritable = true

    var deadline: ReadDeadline? {
        if !isWritable { return .answer }
        if !hasHead { return .head }
        return isReceiving && unanswered <= 1 ? .body : nil
    }

    /// Whether the request that is coming in could be answered here and now: none before it is waiting for an answer, and its
    /// own has not begun.
    var isRefusable: Bool { !hasAnswerBegun && unanswered == (isReceiving ? 1 : 0) }

    /// Whether the request that is coming in has its answer already, or the beginning of it.
    var isAnsweredEarly: Bool { isReceiving && (unanswered == 0 || unanswered == 1 && hasAnswerBegun) }

    /// Whether the request that is being answered is the only one that was received.
    var isLastReceived: Bool { unanswered == 1 }

    /// The connection's state, from which the eviction chooses.
    var standing: TrackedChannel.Standing {
        if !isWritable { return .unread }
        if isReceiving, unanswered <= 1 { return .receiving }
        return unanswered > 0 ? .answering : .idle
    }

    mutating func receiveHead() {
        hasHead = true
        isReceiving = true
        unanswered += 1
    }

    mutating func receiveEnd() {
        isReceiving = false
    }

    mutating func beginAnswer() {
        hasAnswerBegun = true
    }

    mutating func endAnswer() {
        hasAnswerBegun = false
        unanswered -= 1
    }
}
