import Glibc
public import Hummingbird
import HummingbirdCore
public import Logging
import NIOCore
import NIOSSL
public import ServiceLifecycle
import Synchronization
public import UnderWay

/// An address to listen at.
public struct ListenerAddress: Sendable, Equatable {
    /// A name or an address.
    public var host: String
    /// 0 for any that is free.
    public var port: Int

    public init(host: String, port: Int) {
        self.host = host
        self.port = port
    }
}

/// A listener within its limits that stops in bounded time.
///
/// Once it is to stop, clients may end what they began; what takes longer than its patience is interrupted, and a client that neither
/// sends the rest of its request nor closes its connection is cut off. If nothing is under way, the stop does not wait for connections.
public struct ListenerService<Responder: HTTPResponder>: Service, CustomStringConvertible
where Responder.Context: InitializableFromSource<ApplicationRequestContextSource> {
    /// Without its responder, which holds what it answers with: services are logged at `debug`.
    public var description: String { "ListenerService(\(address.host):\(address.port))" }

    private let application: Application<Responder>
    private let address: ListenerAddress
    private let patience: Duration
    private let requests: WorkUnderWay?
    private let interrupt: @Sendable () -> Void

    /// - Parameters:
    ///   - capacity: its limits, and how much of them is in use.
    ///   - certificate: shown in TLS handshakes; `nil` for plain HTTP.
    ///   - runsOnEventLoop: whether requests are answered on the event loop of their connection, and no other thread is woken for them. What
    ///     computes for long has to go elsewhere then: it would hold up the other connections of the loop.
    ///   - patience: how long clients may take to end, once the stop has begun.
    ///   - requests: those that have no response yet; nil where they are not counted.
    ///   - interrupt: ends the requests that are still under way then.
    ///   - onListening: called with the port once it takes connections; for port 0, the one it got.
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
        // The certificate was read before, when the listener was configured.
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

    /// - Throws: ``ListenerFailure`` where it cannot listen.
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
            // The last connection may close before the end of what was answered early.
            let isCarriedOn = Task.isShuttingDownGracefully && requests.map { $0.count > 0 } ?? false
            if first == .listener, isCarriedOn { _ = try await group.next() }
            group.cancelAll()
        }
    }

    private enum FirstToEnd {
        /// Its last connection is closed.
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

    /// For what was interrupted to be journaled and answered.
    private static var timeToSettle: Duration { .seconds(5) }

    /// For the responses to be written out after the last request.
    private static var timeToWrite: Duration { .seconds(2) }
}

/// Why a listener does not listen.
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

/// Whether a listener takes connections yet.
public final class ListenerState: Sendable {
    private let hasBegun = Atomic(false)

    public init() {}

    public var isListening: Bool { hasBegun.load(ordering: .relaxed) }

    public func begin() { hasBegun.store(true, ordering: .relaxed) }
}
