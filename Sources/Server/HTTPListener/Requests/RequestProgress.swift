/// How far the requests of one connection have come, and what its client owes. Pure.
///
/// A client owes nothing while its request is being answered. What it sends meanwhile (RFC 9112, 9.3.2) may not be read
/// until then, so that it is not late with it.
struct RequestProgress {
    /// What a client has to do in a certain time.
    enum ReadDeadline: Equatable {
        /// To send the head of its first request.
        case head
        /// To send the rest of its request.
        case body
        /// To take what it is answered.
        case answer
    }

    private var hasHead = false
    private var isReceiving = false
    private var unanswered = 0
    private var hasAnswerBegun = false
    /// Whether the client takes what it is sent.
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

    /// What the connection does, for the choice of one to close.
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
