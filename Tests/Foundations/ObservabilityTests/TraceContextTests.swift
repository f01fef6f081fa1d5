import Logging
import Synchronization
import Testing
import Tracing

@testable import Observability

@Suite struct TraceContextTests {
    static let known = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

    /// The first two examples are from the standard (W3C Trace Context). The others test its rules one by one.
    @Test(arguments: [
        known, "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00",
        "cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-what-the-future-will-be-like",
    ])
    func acceptsAValidTraceparent(text: String) throws {
        let child = try #require(TraceContext(text)).child
        let parts = child.text.split(separator: "-")
        #expect(parts.count == 4 && parts[0] == "00" && parts[1] == "4bf92f3577b34da6a3ce929d0e0e4736")
        #expect(parts[2] != "00f067aa0ba902b7" && TraceContext(child.text) == child)
    }

    @Test(arguments: [
        "", "00", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
        "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
        "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
        "00-4bf92f3577b34da6a3ce929d0e0e473-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0g",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01\r\n", " \(known)",
    ])
    func rejectsAnInvalidTraceparent(text: String) {
        #expect(TraceContext(text) == nil)
    }

    @Test func addsTheTraceToEveryLine() async throws {
        let lines = Mutex<[[UInt8]]>([])
        var handler = LineLogHandler(label: "test", level: .trace) { line in lines.withLock { $0.append(line) } }
        handler.metadataProvider = LineLogHandler.trace
        let logger = Logger(label: "test") { _ in handler }
        let parent = try #require(TraceContext(Self.known))
        var context = ServiceContext.topLevel
        context.traceContext = parent
        await ServiceContext.withValue(context) {
            // A payment runs in such a task, which is not cancelled with its caller.
            await Task { logger.info("within") }.value
        }
        logger.info("outside")
        let texts = lines.withLock { $0 }.map { String(decoding: $0, as: UTF8.self) }
        #expect(texts[0].contains(#""span_id":"00f067aa0ba902b7","trace_id":"4bf92f3577b34da6a3ce929d0e0e4736""#))
        #expect(!texts[1].contains("trace_id"))
    }
}
