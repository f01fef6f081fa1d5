import HTTPTypes
public import Hummingbird
public import Logging
import NIOCore
public import OutboundHTTP
import PayrelayPrimitives
public import SandboxParts
public import ServiceLifecycle

/// The sandbox over HTTP: `POST /FortAPI/paymentApi` as FORT has it, the path of FORT's mobile SDK, and under `/_sandbox/` its
/// books and its settings.
public struct FortSandboxService: Service {
    /// Of FORT's payment API.
    static let path = "/FortAPI/paymentApi"

    private let sandbox: FortSandbox
    private let others: [any ListeningSandbox]
    private let port: Int
    private let logger: Logger
    private let onListening: @Sendable (SandboxAddress) async -> Void

    /// - Parameters:
    ///   - others: further gateways at the same port.
    ///   - port: 0 takes any that is free.
    ///   - onListening: called with its address once connections are taken.
    public init(
        _ sandbox: FortSandbox, beside others: [any ListeningSandbox] = [], port: Int, logger: Logger,
        onListening: @escaping @Sendable (SandboxAddress) async -> Void = { _ in }
    ) {
        self.sandbox = sandbox
        self.others = others
        self.port = port
        self.logger = logger
        self.onListening = onListening
    }

    /// Serves until the graceful shutdown of its service group. Neither silent or late answers nor incomplete requests
    /// delay that.
    public func run() async throws {
        try await SandboxListener(port: port, logger: logger)
            .run([sandbox] + others) { await onListening(SandboxAddress(port: $0, path: Self.path)) }
    }
}

extension FortSandbox: ListeningSandbox {
    public func addRoutes(to router: Router<SandboxRequestContext>) {
        router.post(RouterPath(FortSandboxService.path)) { request, context in
            let body = try await request.body.collect(upTo: 1_048_576)
            let reply = await self.reply(to: Array(body.readableBytesView))
            return try await reply.deliver(over: context.channel)
        }
        router.post("/FortAPI/sdk/iOS/processSdkTnx") { request, context in
            let body = try await request.body.collect(upTo: 1_048_576)
            let reply = await self.replyToSdk(Array(body.readableBytesView))
            return try await reply.deliver(over: context.channel)
        }
        router.get("/_sandbox/orders") { _, _ in
            Response(
                status: .ok, headers: [.contentType: "application/json"],
                body: await self.ordersAsResponse)
        }
        addSettings(to: router)
    }

    public func runBeside() async { await sender.run() }

    /// The orders as a JSON array.
    private var ordersAsResponse: ResponseBody {
        get async {
            let moment = now()
            return ResponseBody(streaming: await books.numbers) { [books] numbers in
                await books.orders(in: numbers).map { $0.settled(at: moment).json }
            }
        }
    }
}
