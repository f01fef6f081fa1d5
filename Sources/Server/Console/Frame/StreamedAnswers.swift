import HTTPListener
import HTTPTypes
import NIOCore
import PayrelayPrimitives

extension ConsoleAnswer {
    /// Writes a text. It returns once the browser has taken the texts before.
    package typealias WriteText = (String) async throws -> Void

    /// A file that is sent while it is made. If it throws, the connection ends without the end of the file, and the browser shows a download
    /// that failed.
    ///
    /// - Parameter filename: ASCII, without quotation marks.
    static func file(
        _ filename: String, _ mediaType: String, _ body: @escaping @Sendable (_ write: WriteText) async throws -> Void
    ) -> ConsoleAnswer {
        var fields = ConsoleAsset.fields(mediaType: mediaType)
        fields[.contentDisposition] = "attachment; filename=\"\(filename)\""
        return .stream(stream(fields, body), filename: filename)
    }

    /// Server-sent events (HTML, 9.2): an answer that goes on. The listener disconnects a browser that takes nothing.
    static func events(_ body: @escaping @Sendable (_ write: WriteText) async throws -> Void) -> ConsoleAnswer {
        var fields = ConsoleAsset.fields(mediaType: "text/event-stream")
        // For a proxy that would keep events until there are many.
        fields[.xAccelBuffering] = "no"
        return .stream(stream(fields, body))
    }

    private static func stream(
        _ fields: HTTPFields, _ body: @escaping @Sendable (_ write: WriteText) async throws -> Void
    ) -> Answer {
        Answer(head: HTTPResponse(status: .ok, headerFields: fields)) { write in
            try await body { try await write(ByteBuffer(string: $0)) }
        }
    }

    /// Returns the name of a list as a file: what it holds, its filters, and the day. No text about a customer is among them, since file names
    /// are logged.
    static func filename(_ words: [String], on day: CalendarDay) -> String {
        let safe = words.joined(separator: "_").utf8.prefix(100).map { byte -> UInt8 in
            let isKept =
                byte.isASCIIDigit || byte.isASCIILetter || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".")
            return isKept ? byte : UInt8(ascii: "-")
        }
        return "\(String(decoding: safe, as: UTF8.self))_\(day.text).csv"
    }
}

/// The session of a download has ended before it did.
package struct SessionEnded: Error {}

extension HTTPField.Name {
    // swift-format-ignore: NeverForceUnwrap
    // Safe: a literal of RFC 9110 token characters.
    static let xAccelBuffering = HTTPField.Name("X-Accel-Buffering")!
}
