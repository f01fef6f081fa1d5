import CCurl
import PayrelayPrimitives

/// One exchange. It passes the request to libcurl, collects the response, and reports the outcome by the rules of
/// ``SendOnce``.
///
/// libcurl holds a pointer to this object while the easy handle is in the multi handle. The loop keeps the object
/// alive for that time.
final class CurlTransfer {
    let easy: CurlEasy
    let submission: SubmissionQueue.Submission
    private var request: OutboundRequest { submission.request }
    private var answer: AnswerBuffer
    private var sending = SendOnce()
    /// Why this side ended the transfer; `nil` if it did not.
    private var endReason: String?

    /// - Parameter easy: a handle that is not in a multi handle.
    /// - Throws: ``NotSent`` if the request may not be sent.
    init(_ submission: SubmissionQueue.Submission, over easy: CurlEasy) throws(NotSent) {
        let request = submission.request
        guard request.method != .get || request.body.isEmpty else { throw NotSent(reason: "a GET has no body") }
        self.submission = submission
        self.easy = easy
        answer = AnswerBuffer(limit: request.answerLimit)
        try easy.prepare(for: request)
        try easy.callBack(self)
    }

    /// Returns the outcome for the caller, for libcurl's result.
    func outcome(of code: CURLcode) -> Outcome<OutboundAnswer> {
        guard code == CURLE_OK, endReason == nil else {
            return failure(endReason ?? easy.words(for: code))
        }
        guard answer.header.isWhole else { return failure("the answer broke off within its header") }
        return .answered(
            OutboundAnswer(
                status: easy.integer(CURLINFO_RESPONSE_CODE), header: answer.header, body: answer.body,
                reusedConnection: easy.integer(CURLINFO_NUM_CONNECTS) == 0))
    }

    /// Returns a failure with this reason, which depends on whether the request may have been sent.
    func failure(_ reason: String) -> Outcome<OutboundAnswer> { sending.failure(reason) }
}

// MARK: Callbacks of libcurl

extension CurlTransfer {
    /// Returns whether the request may be sent now. False ends the transfer.
    func mayBegin() -> Bool {
        // If the timeout has passed, another instance may already have taken over and queried the request's
        // status, so the request must not be sent any more.
        guard submission.submittedAt.duration(to: .now) <= request.timeout else {
            endReason = "it could not be sent before its timeout"
            return false
        }
        guard sending.begin() else {
            endReason = SendOnce.notRepeated
            return false
        }
        return true
    }

    /// Returns whether the line was accepted. False ends the transfer.
    func take(headerLine bytes: UnsafeRawBufferPointer) -> Bool {
        answer.take(headerLine: bytes) || endTooLarge()
    }

    /// Returns whether the bytes were accepted. False ends the transfer.
    func take(body bytes: UnsafeRawBufferPointer) -> Bool {
        answer.take(body: bytes) || endTooLarge()
    }

    private func endTooLarge() -> Bool {
        endReason = "the answer is larger than \(request.answerLimit) bytes"
        return false
    }
}
