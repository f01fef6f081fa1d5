import FoundationEssentials
public import Logging
import PayrelayPrimitives
import Tracing

/// The format of the log's lines.
public enum LogForm: String, Sendable, CaseIterable {
    /// One JSON object per line, for programs.
    case json
    /// The time, the level, the message, and the metadata as `name=value`, for people.
    case text
}

/// Writes each log record as one line of visible ASCII. Line breaks, terminal controls and bidirectional marks
/// are escaped, so that no value can forge a line.
public struct LineLogHandler: LogHandler {
    public var logLevel: Logger.Level
    public var metadata: Logger.Metadata = [:]
    public var metadataProvider: Logger.MetadataProvider?
    private let label: String
    private let form: LogForm
    private let output: @Sendable ([UInt8]) -> Void

    /// - Parameter output: writes one line, which includes its line feed. By default, the line is queued for
    ///   standard error.
    public init(
        label: String, level: Logger.Level, form: LogForm = .json,
        output: @escaping @Sendable ([UInt8]) -> Void = { LogQueue.standardError.add($0) }
    ) {
        self.label = label
        self.logLevel = level
        self.form = form
        self.output = output
    }

    public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    public func log(event: LogEvent) {
        var members = Self.heading(event.level, logger: label, event.message.description)
        if let error = event.error { members.append(JSONObject.Member(name: "error", value: .string("\(error)"))) }
        let heading = members.count
        // The order decides which value is used: the record's metadata, then the logger's, then the trace's.
        for metadata in [event.metadata, metadata, metadataProvider?.get()] {
            guard let metadata else { continue }
            for (key, value) in metadata {
                var name = key == "hb.request.id" ? "request_id" : key
                // A metadata value must not be mistaken for the record's time or level, so it is renamed.
                if members[..<heading].contains(where: { $0.name == name }) { name = "metadata.\(name)" }
                if !members[heading...].contains(where: { $0.name == name }) {
                    members.append(JSONObject.Member(name: name, value: value.json))
                }
            }
        }
        members[heading...].sort { $0.name < $1.name }
        switch form {
        case .json: output(Self.line(members))
        case .text: output(Self.text(members[..<heading], metadata: members[heading...], level: event.level))
        }
    }

    /// Returns the line for people. An error in the heading is shown with the metadata.
    private static func text(
        _ heading: ArraySlice<JSONObject.Member>, metadata: ArraySlice<JSONObject.Member>, level: Logger.Level
    ) -> [UInt8] {
        // A person who reads the log knows the date, so the date and the T of 2026-01-31T09:00:00.000Z are left
        // out.
        let time = (heading.first?.value.stringValue ?? "").dropFirst(11)
        let message = heading.first { $0.name == "message" }?.value.stringValue ?? ""
        var words = ["\(time)", "\(level)", visible(message, allowsSpaces: true)]
        for member in heading.filter({ $0.name == "error" }) + metadata {
            let value = member.value.stringValue ?? String(decoding: member.value.encodedInASCII(), as: UTF8.self)
            words.append("\(visible(member.name))=\(visible(value))")
        }
        return Array((words.joined(separator: " ") + "\n").utf8)
    }

    /// Returns the text unchanged if it is visible ASCII, and otherwise as a JSON string.
    private static func visible(_ text: String, allowsSpaces: Bool = false) -> String {
        let isVisible = text.utf8.allSatisfy { (0x21..<0x7F).contains($0) || allowsSpaces && $0 == 0x20 }
        return isVisible && !text.isEmpty ? text : String(decoding: JSON.string(text).encodedInASCII(), as: UTF8.self)
    }

    /// Returns the members that begin every record: time, level, logger and message.
    static func heading(_ level: Logger.Level, logger label: String, _ message: String) -> [JSONObject.Member] {
        var members: [JSONObject.Member] = []
        members.reserveCapacity(16)
        members.append(JSONObject.Member(name: "time", value: .string(Date().rfc3339InMilliseconds)))
        members.append(JSONObject.Member(name: "level", value: .string(level.rawValue)))
        members.append(JSONObject.Member(name: "logger", value: .string(label)))
        members.append(JSONObject.Member(name: "message", value: .string(message)))
        return members
    }

    /// Returns a line with the members as JSON.
    ///
    /// - Parameter members: members with distinct names.
    static func line(_ members: [JSONObject.Member]) -> [UInt8] {
        var line = JSONWriter(isASCII: true)
        line.write(.object(JSONObject(distinct: members)))
        line.endLine()
        return line.bytes
    }

    /// Makes this handler the log of the whole process. Must be called only once. Lines that are logged for a
    /// request have its trace.
    ///
    /// - Returns: the service's logger.
    public static func bootstrap(level: Logger.Level, form: LogForm = .json) -> Logger {
        LoggingSystem.bootstrap(
            { label, provider in
                var handler = LineLogHandler(label: label, level: level, form: form)
                handler.metadataProvider = provider
                return handler
            }, metadataProvider: trace)
        return Logger(label: "payrelay")
    }

    /// The trace of the current request, with OpenTelemetry's names for logs.
    static let trace = Logger.MetadataProvider {
        ServiceContext.current?.traceContext.map {
            ["trace_id": .string($0.traceIdentifier), "span_id": .string($0.spanIdentifier)]
        } ?? [:]
    }
}

extension Logger.MetadataValue {
    fileprivate var json: JSON {
        switch self {
        case .string(let text): .string(text)
        case .stringConvertible(let value): .string(value.description)
        case .array(let values): .array(values.map(\.json))
        case .dictionary(let values):
            .object(JSONObject(values.sorted { $0.key < $1.key }.map { ($0.key, $0.value.json) }))
        }
    }
}
