import CCurl
import PayrelayPrimitives

/// One exchange: hands libcurl the request, collects the answer, and reports the outcome as ``SendOnce`` decides.
///
/// libcurl holds a pointer to this object while the easy handle is in the multi handle; the loop keeps it that long.
final class CurlTransfer {
    let easy: CurlEasy
    let submission: SubmissionQueue.Submission
    private var request: OutboundRequest { submission.request }
    private var sent = 0
    private var answer: AnswerBuffer
    private var sending: SendOnce
    /// How often libcurl was about to send the request. More than once where a kept connection turned out dead.
    private var beginnings = 0
    /// Why this side ended the transfer; nil where it did not.
    private var endReason: String?

    /// - Parameter easy: in no multi handle.
    /// - Throws: ``NotSent`` where the request is not one that may be sent.
    init(_ submission: SubmissionQueue.Submission, over easy: CurlEasy) throws(NotSent) {
        let request = submission.request
        guard request.method != .get || request.body.isEmpty else { throw NotSent(reason: "a GET has no body") }
        self.submission = submission
        sending = SendOnce(hasBody: !request.body.isEmpty)
        self.easy = easy
        answer = AnswerBuffer(limit: request.answerLimit)
        try easy.prepare(for: request)
        try easy.callBack(self)
    }

    /// The outcome for the caller, by libcurl's result.
    func outcome(of code: CURLcode) -> Outcome<OutboundAnswer> {
        // libcurl tried to send the request again and found that it cannot rewind the body.
        if code == CURLE_SEND_FAIL_REWIND { endReason = SendOnce.notRepeated }
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

    /// Whether libcurl sent the request in one go. Otherwise it may remember something of the trouble, such as the number of its
    /// attempts, and the handle's next request starts from a clean one.
    var wentStraight: Bool { beginnings == 1 }
}

// MARK: What libcurl calls

extension CurlTransfer {
    /// False ends the transfer.
    func mayBegin() -> Bool {
        beginnings += 1
        guard sending.begin() else {
            endReason = SendOnce.notRepeated
            return false
        }
        return true
    }

    /// Copies the next piece of the body and says how long it is; 0 at its end.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        sending.bodyLeaves()
        let piece = request.body[sent...].prefix(buffer.count)
        buffer.copyBytes(from: piece)
        sent += piece.count
        return piece.count
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
