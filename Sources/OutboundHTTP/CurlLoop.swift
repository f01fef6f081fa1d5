import CCurl

/// The thread's work: takes what was submitted, lets libcurl run, and resumes each caller.
final class CurlLoop {
    private struct Running {
        let transfer: CurlTransfer
        let submission: CurlInbox.Submission
    }

    private let multi: CurlMulti
    private let inbox: CurlInbox
    private let settings: OutboundSettings
    private var running: [UInt64: Running] = [:]
    /// Which submission an easy handle serves.
    private var identifiers: [UnsafeMutableRawPointer: UInt64] = [:]
    /// Handles that wait for another transfer; with those that have one, as many as were ever busy at once.
    private var idle: [CurlEasy] = []

    init(multi: CurlMulti, inbox: CurlInbox, settings: OutboundSettings) {
        self.multi = multi
        self.inbox = inbox
        self.settings = settings
    }

    /// Returns when the inbox was closed and every caller has its outcome.
    func run() {
        while true {
            let batch = inbox.take()
            if let reason = batch.closed { return end(batch.submissions, reason: reason) }
            batch.submissions.forEach(begin)
            batch.cancellations.forEach { abandon($0, reason: "the task was cancelled") }

            var code = multi.performDue()
            while let ended = multi.nextEnded() {
                if let identifier = identifiers[ended.easy] { finish(identifier) { $0.outcome(of: ended.code) } }
            }
            if code == CURLM_OK { code = multi.wait() }
            // None of these can be mended here, and to go on would be to spin.
            if code != CURLM_OK { inbox.close(reason: "libcurl failed: \(String(cString: curl_multi_strerror(code)))") }
        }
    }

    private func begin(_ submission: CurlInbox.Submission) {
        let transfer: CurlTransfer
        do {
            transfer = try CurlTransfer(submission.request, settings, over: try freshHandle())
        } catch {
            return tell(submission, .failure(error))
        }
        let code = multi.add(transfer.easy)
        guard code == CURLM_OK else {
            return tell(submission, .failure(transfer.failure(String(cString: curl_multi_strerror(code)))))
        }
        running[submission.identifier] = Running(transfer: transfer, submission: submission)
        identifiers[transfer.easy.handle] = submission.identifier
    }

    private func finish(_ identifier: UInt64, with outcome: (CurlTransfer) -> CurlInbox.Outcome) {
        guard let ended = running.removeValue(forKey: identifier) else { return }
        identifiers[ended.transfer.easy.handle] = nil
        let outcome = outcome(ended.transfer)
        multi.remove(ended.transfer.easy)
        idle.append(ended.transfer.easy)
        tell(ended.submission, outcome)
    }

    private func freshHandle() throws(OutboundFailure) -> CurlEasy {
        guard let easy = idle.popLast() else { return try CurlEasy() }
        try easy.reset()
        return easy
    }

    private func abandon(_ identifier: UInt64, reason: String) {
        finish(identifier) { .failure($0.failure(reason)) }
    }

    private func end(_ submissions: [CurlInbox.Submission], reason: String) {
        for submission in submissions { tell(submission, .failure(.notSent(reason: reason))) }
        for identifier in Array(running.keys) { abandon(identifier, reason: reason) }
    }

    private func tell(_ submission: CurlInbox.Submission, _ outcome: CurlInbox.Outcome) {
        inbox.release()
        submission.continuation.resume(returning: outcome)
    }
}
