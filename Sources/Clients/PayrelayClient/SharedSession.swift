import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The `URLSession` of a transport. All attempts share it, and so share a connection. After a lost response, the
/// next attempt uses a new session and so a new connection, because the old connection may lose every response.
// Safe: everything that changes is read and changed only under the lock. `Mutex` requires iOS 18.
final class SharedSession: @unchecked Sendable {
    private let configuration: URLSessionConfiguration
    private let lock = NSLock()
    private var present: (session: URLSession, exchanges: SessionExchanges)?

    init(_ configuration: URLSessionConfiguration) {
        self.configuration = configuration
    }

    deinit {
        // A session keeps its delegate alive until it is invalidated.
        present?.session.finishTasksAndInvalidate()
    }

    /// Sends a request in the shared session.
    ///
    /// - Parameters:
    ///   - seconds: the time limit for the whole exchange.
    ///   - limit: the maximum size of the response's body, in bytes.
    func send(
        _ request: URLRequest, seconds: Double, limit: Int
    ) async -> Result<TransportResponse, TransportFailure> {
        // The task is created under the lock, because creating a task in an invalidated session would end the
        // process.
        let (session, exchanges, task) = lock.withLock {
            let pair = present ?? make()
            present = pair
            return (pair.session, pair.exchanges, pair.session.dataTask(with: request))
        }
        let exchange = SessionExchange(task, limit: limit)
        exchanges.add(exchange)
        defer { exchanges.remove(exchange) }
        let result = await exchange.run(seconds: seconds)
        if case .failure(.lost) = result { retire(session) }
        return result
    }

    private func make() -> (session: URLSession, exchanges: SessionExchanges) {
        let exchanges = SessionExchanges()
        return (URLSession(configuration: configuration, delegate: exchanges, delegateQueue: nil), exchanges)
    }

    private func retire(_ session: URLSession) {
        lock.withLock {
            guard present?.session === session else { return }
            present = nil
            // Exchanges that are under way in the old session continue.
            session.finishTasksAndInvalidate()
        }
    }
}

/// The delegate of a session. It passes each task's events to the task's exchange.
// Safe: everything that changes is read and changed only under the lock.
final class SessionExchanges: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    private let lock = NSLock()
    private var exchanges: [Int: SessionExchange] = [:]

    func add(_ exchange: SessionExchange) {
        lock.withLock { exchanges[exchange.identifier] = exchange }
    }

    /// Removes an exchange. Further events of its task are ignored.
    func remove(_ exchange: SessionExchange) {
        lock.withLock { exchanges[exchange.identifier] = nil }
    }

    private subscript(task: URLSessionTask) -> SessionExchange? { lock.withLock { exchanges[task.taskIdentifier] } }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        // The redirect is not followed, because the order token is only for the relay. The 3xx response itself is
        // returned.
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        self[dataTask]?.begin(response)
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        self[dataTask]?.append(data)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        self[task]?.end(task.response, error)
    }
}
