import PayrelayPrimitives
import Tracing

/// Spans in the JSON form of OTLP over HTTP (OpenTelemetry protocol 1.x, `ExportTraceServiceRequest`):
/// identifiers in hex, 64-bit numbers as strings.
enum OTLPDocument {
    /// Returns the request that exports the spans.
    ///
    /// - Parameter version: the version of this service.
    static func document(_ spans: [FinishedSpan], version: String) -> JSON {
        [
            "resourceSpans": [
                [
                    "resource": [
                        "attributes": [
                            attribute("service.name", ["stringValue": "payrelay"]),
                            attribute("service.version", ["stringValue": .string(version)]),
                        ]
                    ],
                    "scopeSpans": [
                        ["scope": ["name": "payrelay"], "spans": .array(spans.map { json($0) })]
                    ],
                ]
            ]
        ]
    }

    private static func json(_ span: FinishedSpan) -> JSON {
        var json: JSONObject = [
            "traceId": .string(span.context.traceIdentifier),
            "spanId": .string(span.context.spanIdentifier),
        ]
        json["parentSpanId"] = span.parentSpanIdentifier.map { .string($0) }
        json["name"] = .string(span.operationName)
        json["kind"] = JSON(span.kind.number)
        json["startTimeUnixNano"] = .string("\(span.start)")
        json["endTimeUnixNano"] = .string("\(span.end)")
        var attributes: [(name: String, value: JSON)] = []
        span.attributes.forEach { name, value in attributes.append((name, anyValue(value))) }
        json["attributes"] = .array(attributes.sorted { $0.name < $1.name }.map { attribute($0.name, $0.value) })
        if let status = span.status { json["status"] = ["code": JSON(status.code == .ok ? 1 : 2)] }
        return .object(json)
    }

    private static func attribute(_ name: String, _ value: JSON) -> JSON {
        ["key": .string(name), "value": value]
    }

    /// Returns OTLP's `AnyValue`.
    private static func anyValue(_ value: SpanAttribute) -> JSON {
        switch value {
        case .int32(let number): ["intValue": .string("\(number)")]
        case .int64(let number): ["intValue": .string("\(number)")]
        case .bool(let flag): ["boolValue": flag ? true : false]
        case .string(let text): ["stringValue": .string(text)]
        case .stringConvertible(let value): ["stringValue": .string(value.description)]
        // Spans of this service have no other kind of attribute.
        default: ["stringValue": .string("\(value)")]
        }
    }
}

extension SpanKind {
    /// The number of OTLP's `SpanKind`.
    fileprivate var number: Int {
        switch self {
        case .internal: 1
        case .server: 2
        case .client: 3
        case .producer: 4
        case .consumer: 5
        }
    }
}
