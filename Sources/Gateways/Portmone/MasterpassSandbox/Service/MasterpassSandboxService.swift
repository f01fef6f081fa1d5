import HTTPListener
import HTTPTypes
import Hummingbird
public import Logging
import NIOCore
public import ServiceLifecycle

/// The sandbox over HTTP, on loopback: `POST /masterpass/CALL`, the page for 3-D Secure, and receipts as PDF.
public struct MasterpassSandboxService: Service {
    /// The port on which the sandbox listens by default.
    public static let defaultPort = 8084

    private static let host = "127.0.0.1"
    private static let longestBody = 4_096

    private let sandbox: MasterpassSandbox
    private let port: Int
    private let logger: Logger
    private let onListening: @Sendable (_ port: Int) async -> Void

    /// - Parameters:
    ///   - port: the port; 0 for any free port.
    ///   - onListening: called with the port when connections are accepted.
    public init(
        _ sandbox: MasterpassSandbox, port: Int = defaultPort, logger: Logger,
        onListening: @escaping @Sendable (_ port: Int) async -> Void = { _ in }
    ) {
        self.sandbox = sandbox
        self.port = port
        self.logger = logger
        self.onListening = onListening
    }

    /// Serves requests until the graceful shutdown of its service group, and at most two seconds longer.
    public func run() async throws {
        let router = Router(context: MasterpassRequestContext.self)
        router.add(
            middleware: CrossSiteMiddleware(CrossSiteRule(hosts: AllowedHosts([Self.host]))) { error in
                Response(status: error == .foreignHost ? .misdirectedRequest : .forbidden)
            })
        for call in SandboxCall.allCases {
            router.post("/masterpass/\(call.rawValue)") { [sandbox] request, _ in
                let body = try await request.body.collect(upTo: Self.longestBody)
                return Response(
                    "application/json", await sandbox.answer(call, Array(body.readableBytesView)))
            }
        }
        addPages(to: router)
        let application = Application(
            responder: ExactPathResponder(router.buildResponder()),
            configuration: .init(address: .hostname(Self.host, port: port)),
            onServerRunning: { [port, onListening] in await onListening($0.localAddress?.port ?? port) },
            logger: logger)
        try await application.run(at: ListenerAddress(host: Self.host, port: port), stoppingWithin: .seconds(2))
    }

    private func addPages(to router: Router<MasterpassRequestContext>) {
        router.get("/masterpass/3d/:page") { [sandbox] _, context in
            guard let page = context.parameters.get("page"), let payment = await sandbox.payment(ofPage: page) else {
                return Response(status: .notFound)
            }
            return Response("text/html; charset=utf-8", VerificationPage(page, payment).html)
        }
        for (name, isConfirmed) in [("confirm", true), ("refuse", false)] {
            router.post("/masterpass/3d/:page/\(name)") { [sandbox] _, context in
                guard let page = context.parameters.get("page"),
                    await sandbox.decide(page: page, isConfirmed: isConfirmed)
                else { return Response(status: .notFound) }
                return Response(status: .seeOther, headers: [.location: "/masterpass/3d/\(page)/done"])
            }
        }
        router.get("/masterpass/3d/:page/done") { _, _ in
            Response("text/html; charset=utf-8", VerificationPage.end)
        }
        router.get("/masterpass/receipts/:receipt") { [sandbox] _, context in
            let name = context.parameters.get("receipt") ?? ""
            guard let receipt = await ReceiptPDF(name, of: sandbox) else { return Response(status: .notFound) }
            return Response("application/pdf", receipt.bytes)
        }
    }
}

/// The context of the sandbox's routes. It provides the local address of the connection.
struct MasterpassRequestContext: AddressedRequestContext {
    var coreContext: CoreRequestContextStorage
    let localAddress: String?

    init(source: Source) {
        coreContext = CoreRequestContextStorage(source: source)
        localAddress = source.channel.localAddress?.ipAddress
    }
}

extension Response {
    fileprivate init(_ type: String, _ bytes: [UInt8]) {
        var headers: HTTPFields = [.contentType: type, .cacheControl: "no-store"]
        headers[.contentSecurityPolicy] = "default-src 'none'; form-action 'self'; frame-ancestors 'none'"
        headers[.xContentTypeOptions] = "nosniff"
        self.init(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }
}
