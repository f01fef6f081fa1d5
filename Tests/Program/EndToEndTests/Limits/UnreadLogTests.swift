import Foundation
import OutboundHTTP
import PayrelayPrimitives
import TestPrograms
import Testing

/// A relay whose log goes into a pipe that is not read after the start, as with a log shipper that hangs.
@Suite struct UnreadLogTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var goOn: URL { folder.url.appending(path: "read-on") }

    /// A command whose log reader hangs after the listeners' lines, until a file tells it to continue or the relay has ended.
    private var launcher: [String] {
        let reader = """
            n=0; while [ $n -lt 2 ] && IFS= read -r line; do echo "$line"; case "$line" in (*'listening"'*) n=$((n + 1));; esac; done
            while kill -0 $$ 2>/dev/null && [ ! -e '\(goOn.path)' ]; do sleep 0.02; done; cat
            """
        return ["/bin/bash", "-c", #"exec "$@" 2> >(\#(reader))"#, "payrelay"]
    }

    @Test("R15: a log that is not read stops no payment; dropped lines are counted, and reported once it is read again")
    func aLogThatNobodyReadsStopsNoPayment() async throws {
        let relay = try await RunningRelay(launcher: launcher)
        var isDropping = false
        for round in 0..<200 where !isDropping {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<50 {
                    let identifier = String(repeating: "i", count: 50) + "-\(round)-\(number)"
                    group.addTask {
                        let answer = try await relay.get(
                            "/v1/payments/unknown", headers: [("X-Request-Id", identifier)])
                        #expect(answer.status == 404)
                    }
                }
                try await group.waitForAll()
            }
            isDropping = try #require(try await relay.metric("payrelay_log_lines_dropped_total")) > 0
        }
        #expect(isDropping)
        for _ in 0..<20 { #expect(try await relay.pay(try Orders.body().json).outcome == "captured") }

        try Data().write(to: goOn)
        try await relay.program.wait(toPrint: #""message":"log lines were dropped""#)
        let reference = Orders.reference()
        #expect(try await relay.pay(try Orders.body(reference).json).outcome == "captured")
        try await relay.program.wait(toPrint: reference)
        // Perhaps only a part of the last line has been written.
        let text = relay.program.text
        for line in text[..<(text.lastIndex(of: "\n") ?? text.startIndex)].split(separator: "\n") {
            _ = try JSON(parsing: String(line))
        }
    }

    @Test("R6: a stop ends even if the log is not read, and so does a crash", arguments: [SIGTERM, SIGABRT])
    func aStopEnds(signal: Int32) async throws {
        let relay = try await RunningRelay(launcher: launcher)
        for _ in 0..<400 {
            _ = try await relay.get(
                "/v1/payments/unknown", headers: [("X-Request-Id", String(repeating: "i", count: 64))])
        }
        relay.program.signal(signal)
        #expect(try await relay.program.end() == (signal == SIGTERM ? 0 : -signal))
    }

    /// From the crash on, the reader has 200 ms, which may be too short on a busy machine: the test makes several attempts.
    @Test("S9: a crash writes the lines that wait for their reader")
    func aCrashWritesWhatWaits() async throws {
        var isWritten = false
        for _ in 0..<10 where !isWritten {
            try? FileManager.default.removeItem(at: goOn)
            let relay = try await RunningRelay(launcher: launcher)
            // This is more than a pipe holds, so that a part of the lines waits in the relay.
            for _ in 0..<400 {
                _ = try await relay.get(
                    "/v1/payments/unknown", headers: [("X-Request-Id", String(repeating: "i", count: 64))])
            }
            _ = try await relay.get("/v1/payments/unknown", headers: [("X-Request-Id", "the-last")])
            try Data().write(to: goOn)
            relay.program.signal(SIGABRT)
            #expect(try await relay.program.end() == -SIGABRT)
            // The lines in the pipe are read after the relay's end.
            for _ in 0..<50 where !isWritten {
                isWritten = relay.program.text.contains("the-last")
                try await Task.sleep(for: .milliseconds(20))
            }
        }
        #expect(isWritten)
    }
}
