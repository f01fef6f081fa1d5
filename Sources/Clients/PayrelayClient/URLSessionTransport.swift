#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// Foundation's `URLSession`, without cookies, caches and redirects: a payment goes to the relay and nowhere else. Copies share one
/// session.
///
/// On Linux, FoundationNetworking ends the process where a plain `http` connection breaks inside an answer's header. An app there that
/// does not use TLS has a transport of its own.
public struct URLSessionTransport: RelayTransport {
    /// An answer of the relay is some kilobytes.
    private static let longestAnswer = 1_048_576

    private let session: SharedSession

    /// - Parameter configuration: `protocolClasses` and proxies of the app's own, for example. Cookies, caches and
    ///   stored credentials are turned off in a copy.
    public init(configuration: URLSessionConfiguration = .ephemeral) {
        // A copy of a configuration is a configuration.
        let own = configuration.copy() as? URLSessionConfiguration ?? .ephemeral
        own.httpCookieStorage = nil
        own.httpShouldSetCookies = false
        own.urlCache = nil
        own.urlCredentialStorage = nil
        own.requestCachePolicy = .reloadIgnoringLocalCacheData
        session = SharedSession(own)
    }

    /// Sends it once, and follows no redirect.
    public func send(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse {
        guard let url = URL(string: request.url) else { throw .notSent("no URL") }
        var urlRequest = URLRequest(url: url, timeoutInterval: request.timeout)
        urlRequest.httpMethod = request.method
        urlRequest.httpBody = request.body.map { Data($0) }
        for (name, value) in request.headers { urlRequest.setValue(value, forHTTPHeaderField: name) }
        return try await session.send(urlRequest, seconds: request.timeout, limit: Self.longestAnswer).get()
    }
}
