import HTTPTypes
import Hummingbird
import NIOCore

/// A file that is sent while it is made.
package struct Download: Sendable {
    /// ASCII, without quotation marks.
    let filename: String
    let mediaType: String
    /// Writes it piece by piece; each write returns once the browser has taken the pieces before. Where it throws, the connection ends
    /// without the end of the file, and the browser shows a download that failed.
    let body: @Sendable (_ write: (String) async throws -> Void) async throws -> Void

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
