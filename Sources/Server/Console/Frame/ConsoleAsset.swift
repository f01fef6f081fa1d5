import HTTPListener
import HTTPTypes
import NIOCore
import Observability
import RelayServer

/// A file that the pages load, embedded in the binary.
struct ConsoleAsset: Sendable {
    let path: String
    private let mediaType: String
    /// One buffer for all responses.
    private let buffer: ByteBuffer

    private init(path: String, mediaType: String, bytes: [UInt8]) {
        self.path = path
        self.mediaType = mediaType
        buffer = ByteBuffer(bytes: bytes)
    }

    /// The policy of all pages: only the console's own files are loaded, inline scripts and styles are not run,
    /// forms are sent only to this listener, and no page may frame the console.
    static let contentSecurityPolicy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'", "connect-src 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'", "base-uri 'none'",
    ].joined(separator: "; ")

    /// Returns the header fields of a page or a file. The referrer policy is not `no-referrer`, because browsers
    /// would then not send `Origin` with forms.
    static func fields(mediaType: String) -> HTTPFields {
        [
            .contentType: mediaType, .contentSecurityPolicy: contentSecurityPolicy, .referrerPolicy: "same-origin",
        ]
    }

    /// The route of the file. It is open to everyone under any host name, because the page that rejects a foreign
    /// host name needs the file, too.
    var route: Route {
        let answer = Answer(
            head: HTTPResponse(status: .ok, headerFields: Self.fields(mediaType: mediaType)), buffer: buffer)
        return Route(.get, path, access: .anyone) { _ in answer }
    }

    static let all = [
        ConsoleAsset(
            path: "/console/console.css", mediaType: "text/css; charset=utf-8",
            bytes: PageStyle.bytes + PackageResources.console_css),
        ConsoleAsset(
            path: "/console/console.js", mediaType: "text/javascript; charset=utf-8",
            bytes: PackageResources.console_js),
        ConsoleAsset(
            path: "/console/live.js", mediaType: "text/javascript; charset=utf-8", bytes: PackageResources.live_js),
        ConsoleAsset(path: "/console/icon.svg", mediaType: "image/svg+xml", bytes: PackageResources.icon_svg),
    ]
}
