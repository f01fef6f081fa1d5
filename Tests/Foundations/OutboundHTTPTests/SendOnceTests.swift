import PayrelayPrimitives
import Testing

@testable import OutboundHTTP

@Suite struct SendOnceTests {
    @Test("A request begins once")
    func beginsOnce() {
        var sending = SendOnce()
        let begins = [sending.begin(), sending.begin(), sending.begin()]
        #expect(begins == [true, false, false])
    }

    @Test("A request is not sent once it could have had its answer", .timeLimit(.minutes(25)))
    func isNotSentLate() async throws {
        let server = try LoopbackServer.echoing()
        let multi = CurlMulti(keptConnections: 1)
        let queue = SubmissionQueue(limit: 1, multi: multi)
        let started = JoinableThread(running: {
            CurlLoop(multi: multi, queue: queue, settings: OutboundSettings()).run()
        })
        let thread = try #require(started)
        let request = OutboundRequest(url: server.url, connectTimeout: .seconds(600), timeout: .seconds(1_200))
        for (age, isSent) in [(0, true), (1_201, false)] {
            let outcome = await withCheckedContinuation { continuation in
                queue.submit(
                    SubmissionQueue.Submission(
                        identifier: 1, request: request, continuation: continuation,
                        submittedAt: ContinuousClock.now - .seconds(age)))
            }
            switch outcome {
            case .answered: #expect(isSent)
            case .notSent: #expect(!isSent)
            case .unknown(let reason): Issue.record("\(reason)")
            }
        }
        queue.close(reason: "the test is over")
        thread.join()
        #expect(server.requests == 1)
    }

    @Test("A failure is \"not sent\" before the request begins, and \"unknown\" from then on")
    func aFailureSaysWhetherTheRequestCanHaveArrived() {
        var sending = SendOnce()
        #expect(sending.failure("x") == Failure.notSent(reason: "x"))
        let begins = [sending.begin(), sending.begin()]
        #expect(begins == [true, false])
        #expect(sending.failure("x") == Failure.unknown(reason: "x"))
    }
}
