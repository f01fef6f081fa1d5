import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One exchange of a `URLSession`, with a limit on the size of the response and a deadline.
// Safe: everything that changes is read and changed only under the lock. `Mutex` requires iOS 18.
final class SessionExchange: @unchecked Sendable {
    typealias Outcome = Result<TransportResponse, TransportFailure>

    private let task: URLSessionTask
    private let limit: Int
    private let lock = NSLock()
    private var continuation: CheckedContinuation<Outcome, Never>?
    private var isCancelled = false
    private var hasBegun = false
    private var failure: TransportFailure?
    private var response: HTTPURLResponse?
    private var body: [UInt8] = []

    /// - Parameters:
    ///   - task: a task that was not started yet.
    ///   - limit: the maximum size of the response's body, in bytes.
    init(_ task: URLSessionTask, limit: Int) {
        self.task = task
        self.limit = limit
    }

    /// The identifier of the task in its session.
    var identifier: Int { task.taskIdentifier }

    func run(seconds: Double) async -> Outcome {
        // A timer of its own, because the session's timeout restarts with every byte.
        let timer = Task {
            try await Task.sleep(nanoseconds: UInt64(seconds * 1e9))
            stop(.lost("no answer in time"))
        }
        defer { timer.cancel() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // The time limit may have passed already. If a task is cancelled before it starts, the delegate
                // is not notified.
                let failure: TransportFailure? = lock.withLock {
                    self.continuation = continuation
                    let failure = self.failure ?? (isCancelled ? TransportFailure.notSent("cancelled") : nil)
                    hasBegun = failure == nil
                    return failure
                }
                if let failure { stop(failure) } else { task.resume() }
            }
        } onCancel: {
            let hasBegun = lock.withLock {
                isCancelled = true
                return self.hasBegun
            }
            if hasBegun { stop(.lost("cancelled")) }
        }
    }

    func begin(_ response: URLResponse) {
        lock.withLock { self.response = response as? HTTPURLResponse }
    }

    func append(_ data: Data) {
        let isTooLong = lock.withLock {
            body.append(contentsOf: data)
            return body.count > limit
        }
        if isTooLong { stop(.lost("the answer is too long")) }
    }

    /// Handles the completion of the task.
    func end(_ response: URLResponse?, _ error: (any Error)?) {
        let outcome: Outcome = lock.withLock {
            if let failure { return .failure(failure) }
            if let error { return .failure(TransportFailure(error, bytesSent: task.countOfBytesSent)) }
            guard let response = self.response ?? response as? HTTPURLResponse else {
                return .failure(.lost("no HTTP answer"))
            }
            return .success(
                TransportResponse(
                    status: response.statusCode, retryAfter: response.value(forHTTPHeaderField: "Retry-After"),
                    body: body))
        }
        finish(outcome)
    }

    /// Stops waiting. The request may have arrived.
    func stop(_ failure: TransportFailure) {
        lock.withLock { self.failure = self.failure ?? failure }
        task.cancel()
        finish(.failure(failure))
    }

    private func finish(_ outcome: Outcome) {
        let continuation = lock.withLock {
            defer { self.continuation = nil }
            return self.continuation
        }
        continuation?.resume(returning: outcome)
    }
}

extension TransportFailure {
    /// Creates the failure for an error. Only errors that Foundation documents as occurring before a byte was
    /// sent count as not sent.
    ///
    /// - Parameter bytesSent: the number of bytes of the request's body that the task has sent.
    init(_ error: any Error, bytesSent: Int64) {
        // The error's description may contain the URL, and so the order's reference.
        let code = (error as? URLError)?.code ?? .unknown
        let reason = "URLError \(code.rawValue)"
        self =
            switch code {
            case .cannotFindHost, .cannotConnectToHost, .dnsLookupFailed, .notConnectedToInternet, .badURL,
                .unsupportedURL, .dataNotAllowed, .internationalRoamingOff, .callIsActive,
                .appTransportSecurityRequiresSecureConnection:
                .notSent(reason)
            // TLS may also fail after the request was sent.
            case .secureConnectionFailed where bytesSent == 0: .notSent(reason)
            case .serverCertificateUntrusted, .serverCertificateHasBadDate,
                .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
                .clientCertificateRequired:
                .insecure(reason)
            default: .lost(reason)
            }
    }
}
