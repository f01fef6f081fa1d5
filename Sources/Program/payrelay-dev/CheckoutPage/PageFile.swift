import HTTPListener
import HTTPTypes

/// A file of the page, embedded in the binary.
struct PageFile: Sendable {
    let path: String
    let mediaType: String
    let bytes: [UInt8]

    /// Only the page's own files are loaded, inline scripts and styles are not run, and no other page may frame
    /// it.
    static let contentSecurityPolicy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'", "img-src 'self'",
        "form-action 'none'", "frame-ancestors 'none'", "base-uri 'none'",
    ].joined(separator: "; ")

    var answer: Answer {
        Answer(
            head: HTTPResponse(
                status: .ok,
                headerFields: [
                    .contentType: mediaType, .contentSecurityPolicy: Self.contentSecurityPolicy,
                ]),
            body: bytes)
    }

    static let all = [
        PageFile(path: "/", mediaType: "text/html; charset=utf-8", bytes: PackageResources.checkout_html),
        PageFile(path: "/_dev/icon.svg", mediaType: "image/svg+xml", bytes: PackageResources.icon_svg),
        style("checkout.css", PackageResources.checkout_css),
        style("sheet.css", PackageResources.sheet_css),
        script("apple-pay.js", PackageResources.apple_pay_js),
        script("checkout.js", PackageResources.checkout_js),
        script("exchange.js", PackageResources.exchange_js),
        script("simulated-apple-pay-session.js", PackageResources.simulated_apple_pay_session_js),
        script("trust.js", PackageResources.trust_js),
        script("simulated-sheet.js", PackageResources.simulated_sheet_js),
    ]

    static let trust = PageFile(
        path: "/trust", mediaType: "text/html; charset=utf-8", bytes: PackageResources.trust_html)

    private static func style(_ name: String, _ bytes: [UInt8]) -> PageFile {
        PageFile(path: "/_dev/\(name)", mediaType: "text/css; charset=utf-8", bytes: bytes)
    }

    private static func script(_ name: String, _ bytes: [UInt8]) -> PageFile {
        PageFile(path: "/_dev/\(name)", mediaType: "text/javascript; charset=utf-8", bytes: bytes)
    }
}
