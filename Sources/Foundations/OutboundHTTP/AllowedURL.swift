import CCurl
import PayrelayPrimitives

/// A URL that requests may be sent to: `https`, or plain `http` to a loopback address. It is parsed by libcurl,
/// and the transfer uses the same parsed object, so that the URL that was checked is the URL that is used.
final class AllowedURL {
    let handle: OpaquePointer

    /// - Throws: ``NotSent`` for any other URL.
    init(_ text: String) throws(NotSent) {
        guard let handle = curl_url() else { throw NotSent(reason: "out of memory") }
        self.handle = handle
        let code = curl_url_set(handle, CURLUPART_URL, text, 0)
        guard code == CURLUE_OK, !text.utf8.contains(0) else { throw NotSent(reason: "the URL is malformed") }
        switch scheme {
        case "https": break
        case "http" where isLoopback: break
        case "http": throw NotSent(reason: "plain http is for loopback addresses only, not for \(host)")
        default: throw NotSent(reason: "the URL's scheme is not https")
        }
    }

    deinit { curl_url_cleanup(handle) }

    var scheme: String { part(CURLUPART_SCHEME) }

    /// The host in the form in which libcurl connects to it: IPv4 addresses in dotted-decimal form, IPv6
    /// addresses in brackets.
    var host: String { part(CURLUPART_HOST) }

    /// Whether the host is on loopback. libcurl does not resolve `localhost`, but always connects to a loopback
    /// address.
    var isLoopback: Bool { IPAddress.isLoopback(host: host) }

    private func part(_ part: CURLUPart) -> String {
        var text: UnsafeMutablePointer<CChar>?
        guard curl_url_get(handle, part, &text, 0) == CURLUE_OK, let text else { return "" }
        defer { curl_free(text) }
        return String(cString: text)
    }
}
