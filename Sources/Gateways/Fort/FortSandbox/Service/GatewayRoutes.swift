import HTTPTypes
public import Hummingbird
import NIOCore
public import OutboundHTTP
import PayrelayPrimitives
public import SandboxParts

/// Adds the routes: FORT's `POST /FortAPI/paymentApi`, the path of FORT's mobile SDK, and the books and settings
/// under `/_sandbox/`.
extension FortSandbox: ListeningSandbox {
    /// The path of FORT's payment API.
    static let path = "/FortAPI/paymentApi"

    public static func address(at port: Int) -> SandboxAddress { SandboxAddress(port: port, path: path) }

    public func addRoutes(to router: Router<SandboxRequestContext>) {
        router.post(RouterPath(Self.path)) { request, context in
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

    /// The orders as a streamed JSON array.
    private var ordersAsResponse: ResponseBody {
        get async {
            let moment = now()
            return ResponseBody(streaming: await books.numbers) { [books] numbers in
                await books.orders(in: numbers).map { $0.settled(at: moment).json }
            }
        }
    }
}
