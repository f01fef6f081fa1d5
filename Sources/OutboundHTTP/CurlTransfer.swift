import CCurl

/// One exchange: the request as libcurl asks for it, the answer as it comes, and how far the request got.
///
/// libcurl holds a pointer to this object while the easy handle is in the multi handle; the loop keeps it that long.
final class CurlTransfer {
    let easy: CurlEasy
    private let url: CurlURL
    private let headers: CurlHeaderList
    private let request: OutboundRequest
    private var sent = 0
    private var answer: AnswerBuffer
    /// Whether the request can have arrived: libcurl has asked for its body or, where it has none, begun to send it.
    private var mayHaveArrived = false
    /// Why we ended the transfer ourselves.
    private var refusal: String?

    private static let notRepeated = "the connection broke before an answer came, and the request is not repeated"

    /// - Parameter easy: without any option, and in no multi handle.
    /// - Throws: `notSent` where the request is not one that may be sent.
    init(_ request: OutboundRequest, _ settings: OutboundSettings, over easy: CurlEasy) throws(OutboundFailure) {
        guard request.method != .get || request.body.isEmpty else { throw .notSent(reason: "a GET has no body") }
        self.request = request
        url = try CurlURL(request.url)
        headers = try CurlHeaderList(request.headers)
        self.easy = easy
        answer = AnswerBuffer(limit: request.answerLimit)
        try easy.apply(settings)
        try easy.apply(request, to: url, with: headers)
        try easy.callBack(self)
    }

    /// What libcurl's verdict means for the caller.
    func outcome(of code: CURLcode) -> CurlInbox.Outcome {
        // libcurl wanted to begin anew and found that it cannot rewind the body.
        if code == CURLE_SEND_FAIL_REWIND { refusal = Self.notRepeated }
        guard code == CURLE_OK, refusal == nil else { return .failure(failure(refusal ?? easy.words(for: code))) }
        guard answer.hasWholeHeader else { return .failure(failure("the answer broke off within its header")) }
        return .success(
            OutboundAnswer(
                status: easy.integer(CURLINFO_RESPONSE_CODE), headers: answer.headers, body: answer.body,
                timings: OutboundAnswer.Timings(
                    connected: easy.microseconds(CURLINFO_PRETRANSFER_TIME_T),
                    firstByte: easy.microseconds(CURLINFO_STARTTRANSFER_TIME_T),
                    total: easy.microseconds(CURLINFO_TOTAL_TIME_T)),
                reusedConnection: easy.integer(CURLINFO_NUM_CONNECTS) == 0))
    }

    /// A failure for this reason, by how far the request had come.
    func failure(_ reason: String) -> OutboundFailure {
        mayHaveArrived ? .noAnswer(reason: reason) : .notSent(reason: reason)
    }
}

// MARK: What libcurl asks and tells

extension CurlTransfer {
    /// A connection is ready and the request is about to go out on it. False ends the transfer.
    ///
    /// libcurl repeats a request by itself when a connection kept alive turns out dead, or an HTTP/2 stream is refused.
    /// Before a byte of the body has left that is harmless; afterwards it could charge twice.
    func mayBegin() -> Bool {
        if mayHaveArrived {
            refusal = Self.notRepeated
            return false
        }
        mayHaveArrived = request.body.isEmpty
        return true
    }

    /// Copies the next piece of the body and says how long it is; 0 at its end.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        mayHaveArrived = true
        let piece = request.body[sent...].prefix(buffer.count)
        buffer.copyBytes(from: piece)
        sent += piece.count
        return piece.count
    }

    /// False ends the transfer.
    func take(headerLine bytes: UnsafeRawBufferPointer) -> Bool {
        answer.take(headerLine: bytes) || refuseTooLarge()
    }

    /// False ends the transfer.
    func take(body bytes: UnsafeRawBufferPointer) -> Bool {
        answer.take(body: bytes) || refuseTooLarge()
    }

    private func refuseTooLarge() -> Bool {
        refusal = "the answer is larger than \(request.answerLimit) bytes"
        return false
    }
}
