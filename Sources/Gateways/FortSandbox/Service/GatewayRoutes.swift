import HTTPTypes
public import Hummingbird
import NIOCore
public import OutboundHTTP
import PayrelayPrimitives
public import SandboxParts

/// `POST /FortAPI/paymentApi` as FORT has it, the path of FORT's mobile SDK, and under `/_sandbox/` the books and the settings.
extension FortSandbox: ListeningSandbox {
    /// Of FORT's payment API.
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
