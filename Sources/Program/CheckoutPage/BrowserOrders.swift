import AccessControl
import HTTPListener
import HTTPTypes
import PayrelayPrimitives
import RelayServer
import Synchronization

/// Which browser began which order. With `payrelay-dev --host` everybody on the network reaches the page: only the browser that asked
/// first gets order tokens for a reference, and with them the payment and what was said about it.
final class BrowserOrders: Sendable {
    enum Refusal: Error {
        case otherBrowser
        /// Orders are not forgotten to make room. Otherwise somebody could begin many, and then take over an order that was forgotten.
        case tooMany
    }

    static let limit = 10_000

    private let cookie: SessionCookie
    private let browsers = Mutex<[String: String]>([:])

    init(isTLS: Bool) {
        cookie = SessionCookie("__Host-payrelay-checkout", plainName: "payrelay-checkout", isTLS: isTLS)
    }

    /// The browser begins the order, or goes on with it.
    ///
    /// - Returns: `Set-Cookie` for a browser that had no session; nil for one that had.
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
