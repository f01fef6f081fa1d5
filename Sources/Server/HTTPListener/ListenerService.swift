import Glibc
public import Hummingbird
import HummingbirdCore
public import Logging
import NIOCore
import NIOSSL
public import ServiceLifecycle
import Synchronization
public import UnderWay

/// An address to listen on.
public struct ListenerAddress: Sendable, Equatable {
    /// A host name or an IP address.
    public var host: String
    /// The port; 0 for any free port.
    public var port: Int

    public init(host: String, port: Int) {
        self.host = host
        self.port = port
    }
}

/// A listener that keeps its limits and stops within a bounded time.
///
/// When the listener is told to stop, clients may finish what they have begun. Requests that take longer than the
/// patience are interrupted, and a client that neither sends the rest of its request nor closes its connection is
/// disconnected. If no request is under way, the stop does not wait for open connections.
public struct ListenerService<Responder: HTTPResponder>: Service, CustomStringConvertible
where Responder.Context: InitializableFromSource<ApplicationRequestContextSource> {
    /// Leaves out the responder, because services are logged at `debug` and the responder holds secrets.
    public var description: String { "ListenerService(\(address.host):\(address.port))" }

    private let application: Application<Responder>
    private let address: ListenerAddress
    private let patience: Duration
    private let requests: WorkUnderWay?
    private let interrupt: @Sendable () -> Void

    /// - Parameters:
    ///   - capacity: the listener's limits, and how much of them is in use.
    ///   - certificate: the certificate for TLS; `nil` for plain HTTP.
    ///   - runsOnEventLoop: whether requests are answered on the event loop of their connection, without waking
    ///     another thread. If so, long computations must run elsewhere, because they would delay the other
    ///     connections of the event loop.
    ///   - patience: the time that clients have to finish after the stop has begun.
    ///   - requests: the requests that have no response yet; `nil` if they are not counted.
    ///   - interrupt: interrupts the requests that are still under way when the patience has passed.
    ///   - onListening: called with the port when the listener accepts connections. If the configured port is 0,
    ///     this is the port that the system chose.
    public init(
        _ responder: Responder, at address: ListenerAddress, capacity: ListenerCapacity,
        certificate: ListenerCertificate? = nil, runsOnEventLoop: Bool = false, patience: Duration,
        requests: WorkUnderWay? = nil,
        interrupt: @escaping @Sendable () -> Void = {},
        onListening: @escaping @Sendable (Int) async -> Void = { _ in }, logger: Logger
    ) {
        self.address = address
        self.patience = patience
        self.requests = requests
        self.interrupt = interrupt
        // An unusable certificate was already reported when the listener was configured.
        let tls = Result { try certificate.map { try NIOSSLContext(configuration: $0.configuration) } }
        application = Application(
            responder: responder,
            server: HTTPServerBuilder { respond in
                LimitedChannel(
                    responder: respond, capacity: capacity, tls: try tls.get(), runsOnEventLoop: runsOnEventLoop)
            },
            configuration: .init(
                address: .hostname(address.host, port: address.port), backlog: 1_024,
                availableConnectionsDelegate: .maximum(
                    capacity.limits.connections + capacity.limits.connectionsInTransit, logger: logger)),
            onServerRunning: { await onListening($0.localAddress?.port ?? address.port) }, logger: logger)
    }

    /// Runs the listener until it has stopped.
    ///
    /// - Throws: ``ListenerFailure`` if the listener cannot listen on its address.
    public func run() async throws {
        try await withThrowingTaskGroup(of: FirstToEnd.self) { group in
            group.addTask {
                try await application.run(at: address)
                return .listener
            }
            group.addTask {
                try await gracefulShutdown()
                try await waitForRequests()
                return .wait
            }
            let first = try await group.next()
            // The last connection may close before the work behind a response that was sent early is finished.
            let isCarriedOn = Task.isShuttingDownGracefully && requests.map { $0.count > 0 } ?? false
            if first == .listener, isCarriedOn { _ = try await group.next() }
            group.cancelAll()
        }
    }

    private enum FirstToEnd {
        /// The listener's last connection is closed.
        case listener
        /// The requests under way have ended, or the time limit has passed.
        case wait
    }

    private func waitForRequests() async throws {
        if try await requestsEnd(within: patience) { return }
        guard requests != nil else { return }
        interrupt()
        _ = try await requestsEnd(within: Self.timeToSettle)
    }

    private func requestsEnd(within limit: Duration) async throws -> Bool {
        let deadline = ContinuousClock.now + limit
        var lastBusy = ContinuousClock.now
        while ContinuousClock.now < deadline {
            if ContinuousClock.now >= lastBusy + Self.timeToWrite { return true }
            try await Task.sleep(for: .milliseconds(50))
            if requests.map({ $0.count > 0 }) ?? true { lastBusy = .now }
        }
        return false
    }

    /// The time for interrupted requests to be written to the journal and answered.
    private static var timeToSettle: Duration { .seconds(5) }

    /// The time for the responses to be written to their sockets after the last request has ended.
    private static var timeToWrite: Duration { .seconds(2) }
}

/// Why a listener cannot listen on its address.
public struct ListenerFailure: Error, CustomStringConvertible {
    let address: ListenerAddress
    let error: any Error

    public var description: String {
        let reason =
            switch (error as? IOError)?.errnoCode {
            case EADDRINUSE?: "another program uses this port"
            case EACCES?: "this user may not use this port"
            case EADDRNOTAVAIL?: "this machine does not have this address"
            default: "\(error)"
            }
        return "cannot listen at \(address.host):\(address.port): \(reason)"
    }
}

/// Whether a listener accepts connections yet.
public final class ListenerState: Sendable {
    private let hasBegun = Atomic(false)

    public init() {}

    public var isListening: Bool { hasBegun.load(ordering: .relaxed) }

    public func begin() { hasBegun.store(true, ordering: .relaxed) }
}
