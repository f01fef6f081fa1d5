import Foundation
import PayrelayPrimitives
import Testing

@testable import Observability

@Suite struct LogQueueTests {
    private static let line = Array(#"{"message":"\#(String(repeating: "x", count: 1_000))"}"#.utf8) + [0x0A]

    /// Reads all lines from a pipe until its other end is closed.
    private static func lines(of pipe: Pipe) throws -> [JSON] {
        let bytes = try pipe.fileHandleForReading.readToEnd() ?? Data()
        return try bytes.split(separator: 0x0A).map { try JSON(parsing: Array($0)) }
    }

    @Test("R15: logging does not wait for a pipe without a reader, and dropped lines are counted and reported")
    func dropsBeyondItsLimitAndTells() throws {
        let pipe = Pipe()
        let queue = LogQueue(pipe.fileHandleForWriting.fileDescriptor)
        // Three times as many lines as the queue holds: a call that waited for the pipe would never return. The pipe itself
        // takes 64 KiB.
        let added = 3 * LogQueue.limit / Self.line.count
        for _ in 0..<added { queue.add(Self.line) }
        #expect(queue.dropped > added / 2)
        #expect(!queue.isEmpty)
        let reader = Thread {
            queue.flush(within: .seconds(300))
            try? pipe.fileHandleForWriting.close()
        }
        reader.start()
        let lines = try Self.lines(of: pipe)
        let told = lines.filter { $0["message"] == "log lines were dropped" }
        #expect(told.compactMap { $0["lines"]?.number }.reduce(0, +) == queue.dropped)
        #expect(lines.count - told.count == added - queue.dropped)
        #expect(queue.isEmpty)
    }

    @Test("S9: the lines of threads that log at once come out whole, each thread's in its order")
    func keepsLinesWholeAndInOrder() throws {
        let pipe = Pipe()
        let queue = LogQueue(pipe.fileHandleForWriting.fileDescriptor)
        let writers = Thread {
            DispatchQueue.concurrentPerform(iterations: 8) { thread in
                for number in 0..<500 { queue.add(Array("{\"thread\":\(thread),\"number\":\(number)}\n".utf8)) }
            }
            queue.flush(within: .seconds(300))
            try? pipe.fileHandleForWriting.close()
        }
        writers.start()
        let lines = try Self.lines(of: pipe)
        for thread in 0..<8 {
            let numbers = lines.filter { $0["thread"]?.number == thread }.compactMap { $0["number"]?.number }
            #expect(numbers == Array(0..<500))
        }
        #expect(queue.dropped == 0)
    }

    @Test("held lines are written in order when they are released or flushed, and not if they are dropped")
    func holdsLines() throws {
        let pipe = Pipe()
        let queue = LogQueue(pipe.fileHandleForWriting.fileDescriptor)
        let output = pipe.fileHandleForReading
        func add(_ name: String) { queue.add(Array("\(name)\n".utf8)) }
        queue.hold()
        for name in ["first", "second"] { add(name) }
        queue.dropHeld()
        #expect(queue.isEmpty)
        for name in ["third", "fourth"] { add(name) }
        var ready = pollfd(fd: output.fileDescriptor, events: Int16(POLLIN), revents: 0)
        #expect(poll(&ready, 1, 100) == 0)
        queue.release()
        add("fifth")
        queue.hold()
        add("sixth")
        queue.flush(within: .seconds(300))
        try pipe.fileHandleForWriting.close()
        #expect(String(decoding: try output.readToEnd() ?? Data(), as: UTF8.self) == "third\nfourth\nfifth\nsixth\n")
    }

    @Test("R15: a flush ends even without a reader")
    func aFlushEnds() {
        let pipe = Pipe()
        let queue = LogQueue(pipe.fileHandleForWriting.fileDescriptor)
        for _ in 0..<200 { queue.add(Self.line) }
        queue.flush(within: .milliseconds(10))
        #expect(!queue.isEmpty)
        // Without this, the signal would end the process. With it, the queue's thread gets an error.
        signal(SIGPIPE, SIG_IGN)
        try? pipe.fileHandleForReading.close()
        queue.flush(within: .seconds(300))
        #expect(queue.isEmpty)
    }
}

extension JSON {
    fileprivate var number: Int? {
        if case .number(let text) = self { Int(text) } else { nil }
    }
}
