import CCurl
import PayrelayPrimitives

/// The loop of the curl thread. It takes submissions, runs libcurl, and resumes each caller with its outcome.
final class CurlLoop {
    private let multi: CurlMulti
    private let queue: SubmissionQueue
    private var handles: CurlHandles
    /// The running transfers by the indices of their handles; `nil` for an idle handle.
    private var running: [CurlTransfer?] = []

    init(multi: CurlMulti, queue: SubmissionQueue, settings: OutboundSettings) {
        self.multi = multi
        self.queue = queue
        handles = CurlHandles(settings)
    }

    /// Runs until the queue is closed and every caller has its outcome.
    func run() {
        while true {
            let batch = queue.take()
            if let reason = batch.closed { return end(batch.submissions, reason: reason) }
            batch.submissions.forEach(begin)
            batch.cancellations.forEach(cancel)

            var code = multi.performDue()
            while let ended = multi.nextEnded() {
                let transfer = running[CurlEasy.number(of: ended.easy)]
                if let transfer { finish(transfer, with: transfer.outcome(of: ended.code)) }
            }
            if code == CURLM_OK { code = multi.wait(mayBlock: queue.mayRest()) }
            // None of these errors can be handled here, and continuing would spin.
            if code != CURLM_OK { queue.close(reason: "libcurl failed: \(String(cString: curl_multi_strerror(code)))") }
        }
    }

    private func begin(_ submission: SubmissionQueue.Submission) {
        let transfer: CurlTransfer
        do throws(NotSent) {
            transfer = try prepared(submission)
        } catch {
            return resume(submission, .notSent(reason: error.reason))
        }
        let easy = transfer.easy
        let code = multi.add(easy)
        guard code == CURLM_OK else {
            easy.reset()
            handles.giveBack(easy)
            return resume(submission, transfer.failure(String(cString: curl_multi_strerror(code))))
        }
        while running.count <= easy.number { running.append(nil) }
        running[easy.number] = transfer
    }

    private func prepared(_ submission: SubmissionQueue.Submission) throws(NotSent) -> CurlTransfer {
        let easy = try handles.take(for: submission.request)
        do throws(NotSent) {
            return try CurlTransfer(submission, over: easy)
        } catch {
            handles.giveBack(easy)
            throw error
        }
    }

    private func finish(_ transfer: CurlTransfer, with outcome: Outcome<OutboundAnswer>) {
        running[transfer.easy.number] = nil
        multi.remove(transfer.easy)
        // After a failure, libcurl may keep state of the failed transfer, such as the number of its attempts. So
        // the handle is reset.
        if case .answered = outcome { transfer.easy.forgetBody() } else { transfer.easy.reset() }
        handles.giveBack(transfer.easy)
        resume(transfer.submission, outcome)
    }

    /// Cancels a transfer. Cancellations are rare, so the transfer is found by a linear search.
    private func cancel(_ identifier: UInt64) {
        for case let transfer? in running where transfer.submission.identifier == identifier {
            abandon(transfer, reason: "the task was cancelled")
        }
    }

    private func abandon(_ transfer: CurlTransfer, reason: String) {
        finish(transfer, with: transfer.failure(reason))
    }

    private func end(_ submissions: [SubmissionQueue.Submission], reason: String) {
        for submission in submissions { resume(submission, .notSent(reason: reason)) }
        for case let transfer? in running { abandon(transfer, reason: reason) }
    }

    private func resume(_ submission: SubmissionQueue.Submission, _ outcome: Outcome<OutboundAnswer>) {
        queue.release()
        submission.continuation.resume(returning: outcome)
    }
}
