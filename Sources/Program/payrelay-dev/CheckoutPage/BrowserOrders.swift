import AccessControl
import HTTPListener
import HTTPTypes
import PayrelayPrimitives
import RelayServer
import Synchronization

/// Records which browser began which order. With `payrelay-dev --host`, everyone on the network can reach the
/// page. Only the browser that first began an order gets order tokens for its reference, and so can see the
/// payment and its exchanges.
final class BrowserOrders: Sendable {
    enum Refusal: Error {
        case otherBrowser
        /// The limit of orders is reached. Orders are not forgotten to make room, because someone could begin
        /// many orders and then take over one that was forgotten.
        case tooMany
    }

    static let limit = 10_000

    private let cookie: SessionCookie
    private let browsers = Mutex<[String: String]>([:])

    init(isTLS: Bool) {
        cookie = SessionCookie("__Host-payrelay-checkout", plainName: "payrelay-checkout", isTLS: isTLS)
    }

    /// Begins an order for a browser, or continues it.
    ///
    /// - Returns: the `Set-Cookie` value for a browser that had no session; `nil` otherwise.
    func begin(_ merchantReference: String, in fields: HTTPFields) throws(Refusal) -> String? {
        let known = cookie.value(in: fields)
        let session = known ?? Base64URL.encode(RandomBytes.make(32))
        let refusal: Refusal? = browsers.withLock { browsers in
            if let browser = browsers[merchantReference] { return browser.isExactly(session) ? nil : .otherBrowser }
            guard browsers.count < Self.limit else { return .tooMany }
            browsers[merchantReference] = session
            return nil
        }
        if let refusal { throw refusal }
        return known == nil ? cookie.setting(session) : nil
    }
}
