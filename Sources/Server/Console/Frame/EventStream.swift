import HTTPTypes
import Hummingbird
import NIOCore

/// Server-sent events (HTML, 9.2): an answer that goes on.
package struct EventStream: Sendable {
    /// Each write returns once the browser has taken what was written before. The listener disconnects a browser that takes nothing.
    let body: @Sendable (_ write: (String) async throws -> Void) async throws -> Void

    var response: Response {
        var fields = ConsoleAsset.fields(mediaType: "text/event-stream")
        // For a proxy that would keep events until there are many.
        fields[.xAccelBuffering] = "no"
        return Response(
            status: .ok, headers: fields,
            body: ResponseBody { [body] writer in
                try await body { try await writer.write(ByteBuffer(string: $0)) }
                try await writer.finish(nil)
            })
    }
}

extension HTTPField.Name {
    // swift-format-ignore: NeverForceUnwrap
    // Safe: a literal of RFC 9110 token characters.
    static let xAccelBuffering = HTTPField.Name("X-Accel-Buffering")!
}
