import Charts
import HTTPListener
import HTTPTypes
import NIOCore
import RelayServer

/// A file that the pages load, as it was when this was built.
struct ConsoleAsset: Sendable {
    let path: String
    private let mediaType: String
    /// One for all responses.
    private let buffer: ByteBuffer

    private init(path: String, mediaType: String, bytes: [UInt8]) {
        self.path = path
        self.mediaType = mediaType
        buffer = ByteBuffer(bytes: bytes)
    }

    /// Nothing but the console's own files is loaded, nothing inline is run or applied, forms go to this listener alone, and no page
    /// may frame it.
    static let contentSecurityPolicy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'", "connect-src 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'", "base-uri 'none'",
    ].joined(separator: "; ")

    /// Without a referrer's policy of `no-referrer`: browsers then send no `Origin` with a form either.
    static func fields(mediaType: String) -> HTTPFields {
        [
            .contentType: mediaType, .contentSecurityPolicy: contentSecurityPolicy, .referrerPolicy: "same-origin",
        ]
    }

    /// The same for everyone, under any host name, so that the page that refuses a host name is a page.
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
