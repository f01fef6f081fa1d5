import CCurl

/// One exchange: hands libcurl the request, collects the answer, and reports the outcome as ``SendOnce`` decides.
///
/// libcurl holds a pointer to this object while the easy handle is in the multi handle; the loop keeps it that long.
final class CurlTransfer {
    let easy: CurlEasy
    private let url: AllowedURL
    private let headers: RequestHeaderFields
    private let request: OutboundRequest
    private var sent = 0
    private var answer: AnswerBuffer
    private var sending: SendOnce
    /// Why this side ended the transfer; nil where it did not.
    private var endReason: String?

    /// - Parameter easy: without any option, and in no multi handle.
    /// - Throws: `notSent` where the request is not one that may be sent.
    init(_ request: OutboundRequest, _ settings: OutboundSettings, over easy: CurlEasy) throws(OutboundFailure) {
        guard request.method != .get || request.body.isEmpty else { throw .notSent(reason: "a GET has no body") }
        self.request = request
        sending = SendOnce(hasBody: !request.body.isEmpty)
        url = try AllowedURL(request.url)
        headers = try RequestHeaderFields(request.headers)
        self.easy = easy
        answer = AnswerBuffer(limit: request.answerLimit)
        try easy.apply(settings)
        try easy.apply(request, to: url, with: headers)
        try easy.callBack(self)
    }

    /// The outcome for the caller, by libcurl's result.
    func outcome(of code: CURLcode) -> SubmissionQueue.Outcome {
        // libcurl tried to send the request again and found that it cannot rewind the body.
        if code == CURLE_SEND_FAIL_REWIND { endReason = SendOnce.notRepeated }
        guard code == CURLE_OK, endReason == nil else { return .failure(failure(endReason ?? easy.words(for: code))) }
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
    func failure(_ reason: String) -> OutboundFailure { sending.failure(reason) }
}

// MARK: What libcurl calls

extension CurlTransfer {
    /// False ends the transfer.
    func mayBegin() -> Bool {
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

extension CurlEasy {
    /// Registers libcurl's callbacks. The transfer must live as long as the easy handle is in a multi handle.
    func callBack(_ transfer: CurlTransfer) throws(OutboundFailure) {
        let context = Unmanaged.passUnretained(transfer).toOpaque()
        try set(CURLOPT_PREREQDATA, context)
        try check(
            payrelay_curl_set_prereq_callback(handle) { context, _, _, _, _ in
                CurlTransfer.at(context).mayBegin() ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
            })
        try set(CURLOPT_READDATA, context)
        try set(CURLOPT_READFUNCTION) { buffer, size, count, context in
            CurlTransfer.at(context).read(into: UnsafeMutableRawBufferPointer(start: buffer, count: size * count))
        }
        // A callback that takes less than it was given ends the transfer.
        try set(CURLOPT_HEADERDATA, context)
        try set(CURLOPT_HEADERFUNCTION) { buffer, size, count, context in
            let line = UnsafeRawBufferPointer(start: buffer, count: size * count)
            return CurlTransfer.at(context).take(headerLine: line) ? line.count : 0
        }
        try set(CURLOPT_WRITEDATA, context)
        try set(CURLOPT_WRITEFUNCTION) { buffer, size, count, context in
            let piece = UnsafeRawBufferPointer(start: buffer, count: size * count)
            return CurlTransfer.at(context).take(body: piece) ? piece.count : 0
        }
    }
}

extension CurlTransfer {
    fileprivate static func at(_ context: UnsafeMutableRawPointer?) -> CurlTransfer {
        guard let context else { preconditionFailure("libcurl passes the pointer it was given") }
        return Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
    }
}
