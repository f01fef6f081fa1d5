import HTTPListener
import HTTPTypes
import NIOCore
import PayrelayPrimitives

extension ConsoleAnswer {
    /// Writes a text. Returns when the browser has taken the earlier texts.
    package typealias WriteText = (String) async throws -> Void

    /// Returns a file that is sent while it is produced. If `body` throws, the connection is closed without the
    /// end of the file, and the browser reports a failed download.
    ///
    /// - Parameter filename: an ASCII file name without quotation marks.
    static func file(
        _ filename: String, _ mediaType: String, _ body: @escaping @Sendable (_ write: WriteText) async throws -> Void
    ) -> ConsoleAnswer {
        var fields = ConsoleAsset.fields(mediaType: mediaType)
        fields[.contentDisposition] = "attachment; filename=\"\(filename)\""
        return .stream(stream(fields, body), filename: filename)
    }

    /// Returns a stream of server-sent events (HTML, 9.2). The listener disconnects a browser that does not read
    /// it.
    static func events(_ body: @escaping @Sendable (_ write: WriteText) async throws -> Void) -> ConsoleAnswer {
        var fields = ConsoleAsset.fields(mediaType: "text/event-stream")
        // Tells a proxy not to buffer the events.
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

    /// Returns the file name of a list: what it lists, its filters, and the day. The caller must leave out texts
    /// about the customer, because file names are logged.
    static func filename(_ words: [String], on day: CalendarDay) -> String {
        let safe = words.joined(separator: "_").utf8.prefix(100).map { byte -> UInt8 in
            let isKept =
                byte.isASCIIDigit || byte.isASCIILetter || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".")
            return isKept ? byte : UInt8(ascii: "-")
        }
        return "\(String(decoding: safe, as: UTF8.self))_\(day.text).csv"
    }
}

/// The error if the session of a download ends before the download.
package struct SessionEnded: Error {}

extension HTTPField.Name {
    // swift-format-ignore: NeverForceUnwrap
    // Safe: a literal of RFC 9110 token characters.
    static let xAccelBuffering = HTTPField.Name("X-Accel-Buffering")!
}
