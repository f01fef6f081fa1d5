import Logging
import Observability
import PayrelayPrimitives
import Synchronization
import Testing

@Suite struct LineLogHandlerTests {
    /// A recorder of the text that a logger writes.
    private final class Output: Sendable {
        let bytes = Mutex<[UInt8]>([])

        func logger(level: Logger.Level = .trace, form: LogForm = .json) -> Logger {
            Logger(label: "test") { label in
                LineLogHandler(label: label, level: level, form: form) { line in self.bytes.withLock { $0 += line } }
            }
        }

        func records() throws -> [JSON] {
            try bytes.withLock { $0 }.split(separator: UInt8(ascii: "\n")).map { try JSON(parsing: Array($0)) }
        }
    }

    private struct Failure: Error, CustomStringConvertible {
        let description = "broken\npipe"
    }

    @Test("S9: a record in text form is one line of visible ASCII: time, level, message, then name=value")
    func writesARecordAsText() throws {
        let output = Output()
        let logger = output.logger(form: .text)
        logger.info(
            "paid", metadata: ["reference": "A-1", "count": "\(2)", "reason": "two words", "name": "a\r\nb=\u{202E}"])
        logger.error("broken\nline", error: Failure())
        let lines = String(decoding: output.bytes.withLock { $0 }, as: UTF8.self).split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines[0].dropFirst(13) == #" info paid count=2 name="a\r\nb=\u202e" reason="two words" reference=A-1"#)
        #expect(lines[0].prefix(13).contains(/^[0-9:]{8}\.[0-9]{3}Z$/))
        #expect(lines[1].hasSuffix(#" error "broken\nline" error="broken\npipe""#))
    }

    @Test("S9: a log record is one object on one line, whatever it holds")
    func writesARecordAsOneLine() throws {
        let output = Output()
        let logger = output.logger()
        let scalars = (0...0x9F).compactMap(Unicode.Scalar.init) + ["\u{2028}", "\u{2029}", "\u{202E}", "\u{1F600}"]
        let hostile = "\"}\r\n{\"level\":\"critical\"" + String(String.UnicodeScalarView(scalars))
        logger.info("\(hostile)", metadata: ["\(hostile)": "\(hostile)", "list": ["\(hostile)", ["k": "\(hostile)"]]])
        let bytes = output.bytes.withLock { $0 }
        #expect(bytes.last == UInt8(ascii: "\n"))
        #expect(bytes.dropLast().allSatisfy { $0 >= 0x20 && $0 != 0x7F })
        let record = try #require(try output.records().first)
        #expect(record["message"] == .string(hostile))
        #expect(record[hostile] == .string(hostile))
        #expect(record["list"] == [.string(hostile), ["k": .string(hostile)]])
        #expect(record["level"] == "info")
        #expect(record["logger"] == "test")
    }

    @Test func prefersTheRecordsMetadata() throws {
        let output = Output()
        var logger = output.logger()
        logger[metadataKey: "a"] = "logger"
        logger[metadataKey: "b"] = "logger"
        logger.info("x", metadata: ["b": "record", "c": "record"])
        let record = try #require(try output.records().first)
        #expect(record["a"] == "logger" && record["b"] == "record" && record["c"] == "record")
    }

    @Test func keepsTheRecordsOwnMembers() throws {
        let output = Output()
        output.logger().warning("true", metadata: ["level": "info", "message": "forged", "time": "never"])
        let record = try #require(try output.records().first)
        #expect(record["level"] == "warning" && record["message"] == "true" && record["time"] != "never")
        #expect(record["metadata.message"] == "forged")
    }

    @Test func writesTheError() throws {
        let output = Output()
        output.logger().error("x", error: Failure())
        #expect(try output.records().first?["error"] == "broken\npipe")
    }

    @Test func omitsRecordsBelowTheLevel() throws {
        let output = Output()
        let logger = output.logger(level: .warning)
        for level in Logger.Level.allCases { logger.log(level: level, "x") }
        #expect(try output.records().map { $0["level"] } == ["warning", "error", "critical"])
    }

    @Test func namesTheRequestIdentifierAlike() throws {
        let output = Output()
        output.logger().info("x", metadata: ["hb.request.id": "r1"])
        #expect(try output.records().first?["request_id"] == "r1")
    }
}
