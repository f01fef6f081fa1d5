import AccessControl
public import HTTPListener
public import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import Observability
import Tracing

/// Answers the routes that need no task, on the event loop of their connection. What precedes and follows a route is the same as
/// for every other (``RequestLifecycle``, ``RouteAdmission``), and so is what a route answers.
public struct EventLoopRoutes: EventLoopResponder {
    let routes: [Route]
    let lifecycle: RequestLifecycle
    let admission: RouteAdmission
    let logger: Logger

    /// Only for a path as the route spells it; the router takes every other.
    public func answers(_ head: HTTPRequest) -> Bool { route(of: head) != nil }

    public func receive(_ head: HTTPRequest, from peer: RequestPeer) -> HeadDecision {
        guard let route = route(of: head), let authentication = authenticate(head) else { return .pass }
        let request = lifecycle.begin(head, peer: peer.address, logger: logger)
        let exchange: Exchange
        do throws(Problem) {
            try lifecycle.check(request, path: route.name) { peer.localAddress }
            try lifecycle.rate?.count(authentication, request.clientAddress, path: route.name)
            exchange = Exchange(
                lifecycle: lifecycle, route: route, request: request,
                admitted: try admission.admit(request, to: route, authentication))
        } catch {
            defer { lifecycle.requests.leave() }
            return .answer(lifecycle.end(request, path: route.name, error.response))
        }
        return .read(exchange)
    }

    private func route(of head: HTTPRequest) -> Route? {
        routes.first { $0.name == head.path && $0.method == head.method }
    }

    /// Nil where a key has to be fetched first, which a task waits for.
    private func authenticate(_ head: HTTPRequest) -> Result<AuthenticatedClient, AuthenticationError>? {
        guard let authenticator = admission.authorization.authenticator else { return .failure(.missing) }
        do throws(AuthenticationError) {
            return try authenticator.authenticateAtOnce(authorization: head.headerFields[.authorization])
                .map { .success($0) }
        } catch {
            return .failure(error)
        }
    }

    /// A request whose head is accepted.
    private struct Exchange: EventLoopExchange {
        let lifecycle: RequestLifecycle
        let route: Route
        let request: OpenRequest
        let admitted: AdmittedRequest

        var bodyLimit: Int { route.bodyLimit ?? 0 }

        func respond(
            to body: ByteBuffer, executor: any TaskExecutor, answer: @escaping @Sendable (WholeResponse) -> Void
        ) {
            do throws(Problem) {
                try admitted.takePlace()
            } catch {
                return answer(refused(error))
            }
            let handle = ResponseHandle(
                executor: executor, answer: { answer(end($0)) },
                end: {
                    admitted.leavePlace()
                    lifecycle.requests.leave()
                })
            ServiceContext.withValue(request.span.context) {
                route.respond(
                    to: RelayRequest(
                        head: request.head, body: body, merchantReference: "", client: admitted.client,
                        clientAddress: request.clientAddress, identifier: request.identifier,
                        baseLogger: request.baseLogger),
                    handle)
            }
        }

        func bodyTooLong() -> WholeResponse { refused(.bodyTooLarge(limit: bodyLimit)) }

        func bodyIncomplete() { _ = refused(.incompleteBody) }

        private func refused(_ problem: Problem) -> WholeResponse {
            defer { lifecycle.requests.leave() }
            return end(problem.response)
        }

        private func end(_ response: WholeResponse) -> WholeResponse {
            lifecycle.end(request, path: route.name, response)
        }
    }
}
