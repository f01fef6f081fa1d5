public import Logging
import FoundationEssentials
import OrderedJSON
#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Writes each record as one JSON object on one line. Every control character is escaped, so no value can forge a line.
public struct JSONLogHandler: LogHandler {
    public var logLevel: Logger.Level
    public var metadata: Logger.Metadata = [:]
    private let label: String
    private let write: @Sendable ([UInt8]) -> Void

    /// - Parameter write: takes one whole line, its line feed included; the default gives it to standard error.
    public init(label: String, level: Logger.Level, write: @escaping @Sendable ([UInt8]) -> Void = writeToStandardError)
    {
        self.label = label
        self.logLevel = level
        self.write = write
    }

    public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    public func log(event: LogEvent) {
        var line: JSONObject = [
            "time": .string(Date().formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))),
            "level": .string(event.level.rawValue),
            "logger": .string(label),
            "message": .string("\(event.message)"),
        ]
        let merged = metadata.merging(event.metadata ?? [:]) { $1 }
        for (name, value) in merged.sorted(by: { $0.key < $1.key }) {
            line[name == "hb.request.id" ? "request_id" : name] = value.json
        }
        var bytes = JSON.object(line).encoded()
        bytes.append(UInt8(ascii: "\n"))
        write(bytes)
    }

    /// One write(2) per line, so that lines of several threads do not mix.
    public static let writeToStandardError: @Sendable ([UInt8]) -> Void = { line in
        line.withUnsafeBytes { _ = Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
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
