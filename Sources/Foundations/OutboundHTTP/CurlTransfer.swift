import CCurl
import PayrelayPrimitives

/// One exchange: hands libcurl the request, collects the answer, and reports the outcome as ``SendOnce`` decides.
///
/// libcurl holds a pointer to this object while the easy handle is in the multi handle; the loop keeps it that long.
final class CurlTransfer {
    let easy: CurlEasy
    let submission: SubmissionQueue.Submission
    private var request: OutboundRequest { submission.request }
    private var answer: AnswerBuffer
    private var sending = SendOnce()
    /// Why this side ended the transfer; nil where it did not.
    private var endReason: String?

    /// - Parameter easy: in no multi handle.
    /// - Throws: ``NotSent`` where the request is not one that may be sent.
    init(_ submission: SubmissionQueue.Submission, over easy: CurlEasy) throws(NotSent) {
        let request = submission.request
        guard request.method != .get || request.body.isEmpty else { throw NotSent(reason: "a GET has no body") }
        self.submission = submission
        self.easy = easy
        answer = AnswerBuffer(limit: request.answerLimit)
        try easy.prepare(for: request)
        try easy.callBack(self)
    }

    /// The outcome for the caller, by libcurl's result.
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

    /// A failure for this reason, by how far the request had come.
    func failure(_ reason: String) -> Outcome<OutboundAnswer> { sending.failure(reason) }
}

// MARK: What libcurl calls

extension CurlTransfer {
    /// False ends the transfer.
    func mayBegin() -> Bool {
        // By now the sender may have been given up, and another instance have asked what became of its request.
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

    /// False ends the transfer.
    func take(headerLine bytes: UnsafeRawBufferPointer) -> Bool {
        answer.take(headerLine: bytes) || endTooLarge()
    }

    /// False ends the transfer.
    func take(body bytes: UnsafeRawBufferPointer) -> Bool {
        answer.take(body: bytes) || endTooLarge()
    }

    private func endTooLarge() -> Bool {
        endReason = "the answer is larger than \(request.answerLimit) bytes"
        return false
    }
}
