import HTTPTypes
import Hummingbird
import NIOCore
import PayrelayPrimitives

/// A file that is sent while it is made.
package struct Download: Sendable {
    /// ASCII, without quotation marks.
    let filename: String
    let mediaType: String
    /// Writes it piece by piece; each write returns once the browser has taken the pieces before. Where it throws, the connection ends
    /// without the end of the file, and the browser shows a download that failed.
    let body: @Sendable (_ write: (String) async throws -> Void) async throws -> Void

    /// Of a list as a file: what it holds, its filters, and the day. Nothing of a customer is among them, since file names are logged.
    static func filename(_ words: [String], on day: CalendarDay) -> String {
        let safe = words.joined(separator: "_").utf8.prefix(100).map { byte -> UInt8 in
            let isKept =
                byte.isASCIIDigit || byte.isASCIILetter || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".")
            return isKept ? byte : UInt8(ascii: "-")
        }
        return "\(String(decoding: safe, as: UTF8.self))_\(day.text).csv"
    }

    var response: Response {
        var fields = ConsoleAsset.fields(mediaType: mediaType)
        fields[.contentDisposition] = "attachment; filename=\"\(filename)\""
        return Response(
            status: .ok, headers: fields,
            body: ResponseBody { [body] writer in
                try await body { try await writer.write(ByteBuffer(string: $0)) }
                try await writer.finish(nil)
            })
    }
}

/// The session of a download has ended before it did.
package struct SessionEnded: Error {}
