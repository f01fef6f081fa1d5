import Foundation
import Logging

/// A log handler that keeps all messages, at every level.
struct LogRecorder: LogHandler {
    /// `@unchecked Sendable`: changed under the lock.
    final class Lines: @unchecked Sendable {
        private let lock = NSLock()
        private var lines: [String] = []

        var text: String { lock.withLock { lines.joined(separator: "\n") } }

        func add(_ line: String) { lock.withLock { lines.append(line) } }
    }

    let lines: Lines
    var logLevel = Logger.Level.trace
    var metadata: Logger.Metadata = [:]

    init(_ lines: Lines) {
        self.lines = lines
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        lines.add("\(event.message) \(metadata) \(event.metadata ?? [:])")
    }
}
