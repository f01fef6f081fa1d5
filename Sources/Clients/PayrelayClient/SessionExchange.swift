import Foundation
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One exchange of a `URLSession`: no redirects, an answer of bounded size, an end by the deadline.
///
/// `@unchecked Sendable`: what changes is changed under the lock.
final class SessionExchange: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    private typealias Outcome = Result<TransportResponse, TransportFailure>

    private let lock = NSLock()
    private let limit: Int
    private var continuation: CheckedContinuation<Result<TransportResponse, TransportFailure>, Never>?
    private var task: URLSessionTask?
    private var isCancelled = false
    private var failure: TransportFailure?
    private var response: HTTPURLResponse?
    private var body: [UInt8] = []

    /// - Parameter limit: of the answer's body, in bytes.
    init(limit: Int) {
        self.limit = limit
    }

    func run(
        _ request: URLRequest, _ configuration: URLSessionConfiguration, seconds: Double
    ) async -> Result<TransportResponse, TransportFailure> {
        let session = URLSession(configuration: configuration, delegate: self, delegateQueue: nil)
        // The session keeps its delegate until it is told that no more tasks will come.
        defer { session.finishTasksAndInvalidate() }
        let task = session.dataTask(with: request)
        // The session's own timeout starts again with every byte.
        let timer = Task {
            try await Task.sleep(nanoseconds: UInt64(seconds * 1e9))
            end(.lost("no answer in time"))
        }
        defer { timer.cancel() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isCancelled = lock.withLock {
                    self.continuation = continuation
                    self.task = task
                    return self.isCancelled
                }
                if isCancelled { finish(.failure(.notSent("cancelled"))) } else { task.resume() }
            }
        } onCancel: {
            let hasBegun = lock.withLock {
                isCancelled = true
                return self.task != nil
            }
            if hasBegun { end(.lost("cancelled")) }
        }
    }

    /// Gives up waiting. What was sent may have arrived.
    private func end(_ failure: TransportFailure) {
        let task = lock.withLock {
            self.failure = self.failure ?? failure
            return self.task
        }
        task?.cancel()
        finish(.failure(failure))
    }

    private func finish(_ outcome: Outcome) {
        let continuation = lock.withLock {
            defer { self.continuation = nil }
            return self.continuation
        }
        continuation?.resume(returning: outcome)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        // The order token is for the relay alone. The 3xx itself is the answer.
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        lock.withLock { self.response = response as? HTTPURLResponse }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let isTooLong = lock.withLock {
            body.append(contentsOf: data)
            return body.count > limit
        }
        if isTooLong { end(.lost("the answer is too long")) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let outcome: Outcome = lock.withLock {
            if let failure { return .failure(failure) }
            if let error { return .failure(TransportFailure(error)) }
            guard let response = response ?? task.response as? HTTPURLResponse else {
                return .failure(.lost("no HTTP answer"))
            }
            return .success(
                TransportResponse(
                    status: response.statusCode, retryAfter: response.value(forHTTPHeaderField: "Retry-After"),
                    body: body))
        }
        finish(outcome)
    }
}

extension TransportFailure {
    /// Only what Foundation documents as failing before a byte was sent counts as not sent.
    fileprivate init(_ error: any Error) {
        // The description may hold the URL, and with it the order's reference.
        let code = (error as? URLError)?.code ?? .unknown
        let reason = "URLError \(code.rawValue)"
        self =
            switch code {
            case .cannotFindHost, .cannotConnectToHost, .dnsLookupFailed, .notConnectedToInternet, .badURL,
                .unsupportedURL, .dataNotAllowed, .internationalRoamingOff, .callIsActive,
                .appTransportSecurityRequiresSecureConnection, .secureConnectionFailed:
                .notSent(reason)
            case .serverCertificateUntrusted, .serverCertificateHasBadDate,
                .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
                .clientCertificateRequired:
                .insecure(reason)
            default: .lost(reason)
            }
    }
}
