import Foundation
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One exchange of a `URLSession`: an answer of bounded size, an end by the deadline.
// Safe: what changes is read and changed under the lock alone. `Mutex` needs iOS 18.
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
    ///   - task: not begun.
    ///   - limit: of the answer's body, in bytes.
    init(_ task: URLSessionTask, limit: Int) {
        self.task = task
        self.limit = limit
    }

    /// The task's name in its session.
    var identifier: Int { task.taskIdentifier }

    func run(seconds: Double) async -> Outcome {
        // The session's own timeout starts again with every byte.
        let timer = Task {
            try await Task.sleep(nanoseconds: UInt64(seconds * 1e9))
            stop(.lost("no answer in time"))
        }
        defer { timer.cancel() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // The time may be over already. Of a task that is cancelled before it begins, the delegate hears nothing.
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

    /// The task is complete.
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

    /// Gives up waiting. What was sent may have arrived.
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
    /// Only what Foundation documents as failing before a byte was sent counts as not sent.
    ///
    /// - Parameter bytesSent: of the request's body, as the task counts them.
    init(_ error: any Error, bytesSent: Int64) {
        // The description may hold the URL, and with it the order's reference.
        let code = (error as? URLError)?.code ?? .unknown
        let reason = "URLError \(code.rawValue)"
        self =
            switch code {
            case .cannotFindHost, .cannotConnectToHost, .dnsLookupFailed, .notConnectedToInternet, .badURL,
                .unsupportedURL, .dataNotAllowed, .internationalRoamingOff, .callIsActive,
                .appTransportSecurityRequiresSecureConnection:
                .notSent(reason)
            // TLS may also fail after the request.
            case .secureConnectionFailed where bytesSent == 0: .notSent(reason)
            case .serverCertificateUntrusted, .serverCertificateHasBadDate,
                .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
                .clientCertificateRequired:
                .insecure(reason)
            default: .lost(reason)
            }
    }
}
