#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// A transport that uses Foundation's `URLSession`, without cookies, caches and redirects, so that a payment is
/// sent only to the relay. Copies share one session.
///
/// On Linux, FoundationNetworking ends the process if a plain `http` connection breaks within a response's
/// header. An app on Linux that does not use TLS needs its own transport.
public struct URLSessionTransport: RelayTransport {
    /// The maximum size of a response, in bytes. The relay's responses have some kilobytes.
    private static let longestAnswer = 1_048_576

    private let session: SharedSession

    /// - Parameter configuration: a configuration with the app's `protocolClasses` or proxies, for example. The
    ///   transport uses a copy of it in which cookies, caches and stored credentials are turned off.
    public init(configuration: URLSessionConfiguration = .ephemeral) {
        // A copy of a configuration always has the same type.
        let own = configuration.copy() as? URLSessionConfiguration ?? .ephemeral
        own.httpCookieStorage = nil
        own.httpShouldSetCookies = false
        own.urlCache = nil
        own.urlCredentialStorage = nil
        own.requestCachePolicy = .reloadIgnoringLocalCacheData
        session = SharedSession(own)
    }

    /// Sends a request once, and follows no redirect.
    public func send(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse {
        guard let url = URL(string: request.url) else { throw .notSent("no URL") }
        var urlRequest = URLRequest(url: url, timeoutInterval: request.timeout)
        urlRequest.httpMethod = request.method
        urlRequest.httpBody = request.body.map { Data($0) }
        for (name, value) in request.headers { urlRequest.setValue(value, forHTTPHeaderField: name) }
        return try await session.send(urlRequest, seconds: request.timeout, limit: Self.longestAnswer).get()
    }
}
