import CCurl

/// The curl thread's loop: takes submissions, lets libcurl run, and resumes each caller with its outcome.
final class CurlLoop {
    private struct Running {
        let transfer: CurlTransfer
        let submission: SubmissionQueue.Submission
    }

    private let multi: CurlMulti
    private let queue: SubmissionQueue
    private let settings: OutboundSettings
    private var running: [UInt64: Running] = [:]
    /// Which submission an easy handle serves.
    private var identifiers: [UnsafeMutableRawPointer: UInt64] = [:]
    /// Handles to be used again. With those in use there are as many as were ever in use at once.
    private var idle: [CurlEasy] = []

    init(multi: CurlMulti, queue: SubmissionQueue, settings: OutboundSettings) {
        self.multi = multi
        self.queue = queue
        self.settings = settings
    }

    /// Returns once the queue was closed and every caller has its outcome.
    func run() {
        while true {
            let batch = queue.take()
            if let reason = batch.closed { return end(batch.submissions, reason: reason) }
            batch.submissions.forEach(begin)
            batch.cancellations.forEach { abandon($0, reason: "the task was cancelled") }

            var code = multi.performDue()
            while let ended = multi.nextEnded() {
                if let identifier = identifiers[ended.easy] { finish(identifier) { $0.outcome(of: ended.code) } }
            }
            if code == CURLM_OK { code = multi.wait() }
            // None of these can be repaired here, and going on would spin.
            if code != CURLM_OK { queue.close(reason: "libcurl failed: \(String(cString: curl_multi_strerror(code)))") }
        }
    }

    private func begin(_ submission: SubmissionQueue.Submission) {
        let transfer: CurlTransfer
        do {
            transfer = try CurlTransfer(submission.request, settings, over: try freshHandle())
        } catch {
            return resume(submission, .failure(error))
        }
        let code = multi.add(transfer.easy)
        guard code == CURLM_OK else {
            return resume(submission, .failure(transfer.failure(String(cString: curl_multi_strerror(code)))))
        }
        running[submission.identifier] = Running(transfer: transfer, submission: submission)
        identifiers[transfer.easy.handle] = submission.identifier
    }

    private func finish(_ identifier: UInt64, with outcome: (CurlTransfer) -> SubmissionQueue.Outcome) {
        guard let ended = running.removeValue(forKey: identifier) else { return }
        identifiers[ended.transfer.easy.handle] = nil
        let outcome = outcome(ended.transfer)
        multi.remove(ended.transfer.easy)
        idle.append(ended.transfer.easy)
        resume(ended.submission, outcome)
    }

    private func freshHandle() throws(OutboundFailure) -> CurlEasy {
        guard let easy = idle.popLast() else { return try CurlEasy() }
        try easy.reset()
        return easy
    }

    private func abandon(_ identifier: UInt64, reason: String) {
        finish(identifier) { .failure($0.failure(reason)) }
    }

    private func end(_ submissions: [SubmissionQueue.Submission], reason: String) {
        for submission in submissions { resume(submission, .failure(.notSent(reason: reason))) }
        for identifier in Array(running.keys) { abandon(identifier, reason: reason) }
    }

    private func resume(_ submission: SubmissionQueue.Submission, _ outcome: SubmissionQueue.Outcome) {
        queue.release()
        submission.continuation.resume(returning: outcome)
    }
}
