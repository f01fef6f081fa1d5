import FoundationEssentials
import HTTPListener
import HTTPTypes
import Hummingbird
public import Logging
import NIOCore
public import OutboundHTTP
import PayrelayPrimitives
public import ServiceLifecycle

/// The sandbox over HTTP: `POST /FortAPI/paymentApi` as FORT has it, the path of FORT's mobile SDK, and under `/_sandbox/` its
/// books and its settings.
public struct FortSandboxService: Service {
    /// Of FORT's payment API.
    static let path = "/FortAPI/paymentApi"

    private let sandbox: FortSandbox
    private let port: Int
    private let logger: Logger
    private let onListening: @Sendable (SandboxAddress) async -> Void

    /// - Parameters:
    ///   - port: 0 takes any that is free.
    ///   - onListening: called with its address once connections are taken.
    public init(
        _ sandbox: FortSandbox, port: Int, logger: Logger,
        onListening: @escaping @Sendable (SandboxAddress) async -> Void = { _ in }
    ) {
        self.sandbox = sandbox
        self.port = port
        self.logger = logger
        self.onListening = onListening
    }

    /// Serves until the graceful shutdown of its service group. Neither silent or late answers nor incomplete requests
    /// delay that.
    public func run() async throws {
        let router = Router(context: SandboxRequestContext.self)
        router.add(
            middleware: CrossSiteMiddleware(CrossSiteRule(hosts: AllowedHosts([SandboxAddress.host]))) {
                Response(refusing: $0)
            })
        router.post(RouterPath(Self.path)) { request, context in
            let body = try await request.body.collect(upTo: 1_048_576)
            let reply = await sandbox.reply(to: Array(body.readableBytesView))
            return try await Self.deliver(reply, over: context.channel)
        }
        router.post("/FortAPI/sdk/iOS/processSdkTnx") { request, context in
            let body = try await request.body.collect(upTo: 1_048_576)
            let reply = await sandbox.replyToSdk(Array(body.readableBytesView))
            return try await Self.deliver(reply, over: context.channel)
        }
        router.get("/_sandbox/orders") { _, _ in
            Response(
                status: .ok, headers: [.contentType: "application/json"],
                body: await sandbox.books.responseBody(at: sandbox.now()))
        }
        Self.addSettings(to: router, of: sandbox)
        let application = Application(
            responder: ExactPathResponder(router.buildResponder()),
            configuration: .init(address: .hostname(SandboxAddress.host, port: port)),
            onServerRunning: { [port, onListening] in
                await onListening(SandboxAddress(port: $0.localAddress?.port ?? port, path: Self.path))
            }, logger: logger)
        try await withThrowingTaskGroup { group in
            group.addTask { await sandbox.sender.run() }
            try await application.run(stoppingWithin: .seconds(2))
            group.cancelAll()
        }
    }
}

extension SandboxBooks {
    /// The orders as a JSON array, written piece by piece: a million of them would fill the memory as one text.
    fileprivate func responseBody(at moment: Date) -> ResponseBody {
        let (numbers, step) = (numbers, 1_000)
        return ResponseBody { writer in
            var separator = "["
            for start in stride(from: numbers.lowerBound, to: numbers.upperBound, by: step) {
                var piece = ByteBuffer()
                for order in await self.orders(in: start..<min(start + step, numbers.upperBound)) {
                    piece.writeString(separator)
                    piece.writeBytes(order.settled(at: moment).json.encoded())
                    separator = ","
                }
                try await writer.write(piece)
            }
            try await writer.write(ByteBuffer(string: separator == "[" ? "[]" : "]"))
            try await writer.finish(nil)
        }
    }
}

extension ApplicationProtocol {
    /// Serves until the graceful shutdown of its service group, and for this long after it at the most. `run()` alone waits for
    /// every connection: a client that sends half of a request would keep it running for ever.
    func run(stoppingWithin patience: Duration) async throws {
        try await withThrowingTaskGroup { group in
            group.addTask { try await self.run() }
            group.addTask {
                try await gracefulShutdown()
                try await Task.sleep(for: patience)
            }
            // Whichever ends first; the server's failure to listen is thrown on.
            try await group.next()
            group.cancelAll()
        }
    }
}
