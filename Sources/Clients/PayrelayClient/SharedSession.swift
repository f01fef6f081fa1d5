import Foundation
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The `URLSession` of a transport: one for all attempts, so that they share a connection. After a lost answer the next attempt has
/// another session, and with it another connection: the old one may lose every answer.
// Safe: what changes is read and changed under the lock alone. `Mutex` needs iOS 18.
final class SharedSession: @unchecked Sendable {
    private let configuration: URLSessionConfiguration
    private let lock = NSLock()
    private var present: (session: URLSession, exchanges: SessionExchanges)?

    init(_ configuration: URLSessionConfiguration) {
        self.configuration = configuration
    }

    deinit {
        // A session keeps its delegate until it is told that no more tasks will come.
        present?.session.finishTasksAndInvalidate()
    }

    /// - Parameters:
    ///   - seconds: for the whole exchange.
    ///   - limit: of the answer's body, in bytes.
    func send(
        _ request: URLRequest, seconds: Double, limit: Int
    ) async -> Result<TransportResponse, TransportFailure> {
        // The task is made under the lock: a session that was given up in between would end the process.
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
            // What is under way on it goes on.
            session.finishTasksAndInvalidate()
        }
    }
}

/// The delegate of a session: each task's events go to its exchange.
// Safe: what changes is read and changed under the lock alone.
final class SessionExchanges: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    private let lock = NSLock()
    private var exchanges: [Int: SessionExchange] = [:]

    func add(_ exchange: SessionExchange) {
        lock.withLock { exchanges[exchange.identifier] = exchange }
    }

    /// What becomes of its task is of no interest any more.
    func remove(_ exchange: SessionExchange) {
        lock.withLock { exchanges[exchange.identifier] = nil }
    }

    private subscript(task: URLSessionTask) -> SessionExchange? { lock.withLock { exchanges[task.taskIdentifier] } }

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
