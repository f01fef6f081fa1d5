import AccessControl
import HTTPListener
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOEmbedded
import PaymentRelay
import Testing

@testable import RelayServer

/// Routes for operators, on any listener.
@Suite struct OperatorRouteTests {
    @Test("a route of operators is refused without a key, also if the listener's clients need not authenticate")
    func needsAnOperatorOnEveryListener() async {
        let router = RelayRouter(
            routes: [
                Route(.get, "/operators", access: .operators(.look)) { _ in
                    Answer(head: HTTPResponse(status: .ok), body: [])
                },
                Route(.get, "/clients", access: .clients(with: .paymentsRead)) { _ in
                    Answer(head: HTTPResponse(status: .ok), body: [])
                },
            ], metrics: nil)
        #expect(await status(of: "/operators", router) == .unauthorized)
        #expect(await status(of: "/clients", router) == .ok)
    }

    private func status(of path: String, _ router: RelayRouter) async -> HTTPResponse.Status {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let head = HTTPRequest(method: .get, scheme: "http", authority: "relay", path: path)
        return await router.respond(
            to: Request(head: head, body: RequestBody(buffer: ByteBuffer())),
            context: RelayRequestContext(
                source: ApplicationRequestContextSource(channel: NIOAsyncTestingChannel(), logger: logger))
        ).status
    }
}
