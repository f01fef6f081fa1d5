public import Logging
import Tracing
import FoundationEssentials
import PayrelayPrimitives

/// Writes each record as one JSON object on one line of visible ASCII. Line breaks, terminal controls and bidirectional
/// marks are escaped, so no value can forge a line.
public struct JSONLogHandler: LogHandler {
    public var logLevel: Logger.Level
    public var metadata: Logger.Metadata = [:]
    public var metadataProvider: Logger.MetadataProvider?
    private let label: String
    private let output: @Sendable ([UInt8]) -> Void

    /// - Parameter output: takes one whole line, its line feed included; by default it is queued for standard error.
    public init(
        label: String, level: Logger.Level,
        output: @escaping @Sendable ([UInt8]) -> Void = { LogQueue.standardError.add($0) }
    ) {
        self.label = label
        self.logLevel = level
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
        // The record's own metadata comes first: it wins over the logger's, and that over the trace's.
        for metadata in [event.metadata, metadata, metadataProvider?.get()] {
            guard let metadata else { continue }
            for (key, value) in metadata {
                var name = key == "hb.request.id" ? "request_id" : key
                // Metadata must not pass for the record's own time or level.
                if members[..<heading].contains(where: { $0.name == name }) { name = "metadata.\(name)" }
                if !members[heading...].contains(where: { $0.name == name }) {
                    members.append(JSONObject.Member(name: name, value: value.json))
                }
            }
        }
        members[heading...].sort { $0.name < $1.name }
        output(Self.line(members))
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

    /// - Parameter members: of different names.
    static func line(_ members: [JSONObject.Member]) -> [UInt8] {
        var line = JSONWriter(isASCII: true)
        line.write(.object(JSONObject(distinct: members)))
        line.endLine()
        return line.bytes
    }

    /// Makes this the log of the whole process; once only. What is logged for a request has its trace.
    ///
    /// - Returns: the service's own logger.
    public static func bootstrap(level: Logger.Level) -> Logger {
        LoggingSystem.bootstrap(
            { label, provider in
                var handler = JSONLogHandler(label: label, level: level)
                handler.metadataProvider = provider
                return handler
            }, metadataProvider: trace)
        return Logger(label: "payrelay")
    }

    /// The trace of the request that is being worked on, by OpenTelemetry's names for logs.
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
