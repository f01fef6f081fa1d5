import HTTPTypes
public import Hummingbird
import NIOCore
public import OutboundHTTP
import PayrelayPrimitives
public import SandboxParts
import Synchronization

/// Adds the routes: the gateway's paths, and the books and settings under `/_sandbox/portmone/`.
extension PortmoneSandbox: ListeningSandbox {
    /// The maximum size of a request's body in bytes.
    static let bodyLimit = 262_144
    private static let contentType = "application/json; charset=UTF-8"

    public static func address(at port: Int) -> SandboxAddress {
        SandboxAddress(port: port, path: GatewayPath.r3.rawValue)
    }

    public var slashedPaths: Set<String> { Set(GatewayPath.allCases.map(\.rawValue)) }

    public func addRoutes(to router: Router<SandboxRequestContext>) {
        for path in GatewayPath.allCases {
            let route = RouterPath(path.rawValue)
            router.post(route) { request, context in try await self.respond(to: request, at: path, context) }
            for method in [HTTPRequest.Method.get, .head, .put, .patch, .delete, .options] {
                router.on(route, method: method) { request, _ in
                    path.isPath(request.head.path)
                        ? Response(status: .methodNotAllowed, headers: [.allow: "POST"]) : Response(status: .notFound)
                }
            }
        }
        addSettings(to: router)
    }

    public func runBeside() async { await sender.run() }

    private func respond(
        to request: Request, at path: GatewayPath, _ context: SandboxRequestContext
    ) async throws -> Response {
        // The router treats a path with a slash at its end like one without.
        guard path.isPath(request.head.path) else { return Response(status: .notFound) }
        guard Self.isJSON(request.headers[.contentType]) else { return Response(status: .unsupportedMediaType) }
        guard enter() else { return Response(status: .serviceUnavailable) }
        defer { leave() }
        guard let body = try await request.bytes(upTo: Self.bodyLimit, within: bodyTimeout) else {
            // The rest of the body may still arrive, so nothing else can be read from this connection.
            return try await SandboxReply.reset.deliver(over: context.channel)
        }
        let reply = await reply(to: body, at: path)
        return try await reply.deliver(over: context.channel, as: Self.contentType)
    }

    /// Returns whether the content type is `application/json`, with or without UTF-8 as its charset.
    private static func isJSON(_ contentType: String?) -> Bool {
        guard let (type, parameter) = contentType?.cut(at: ";"), type.trimmed.isSame(ignoringCaseOf: "application/json")
        else { return false }
        return parameter?.trimmed.isSame(ignoringCaseOf: "charset=utf-8") ?? true
    }

    private func enter() -> Bool {
        underWay.withLock { count in
            guard count < requestLimit else { return false }
            count += 1
            return true
        }
    }

    private func leave() {
        underWay.withLock { $0 -= 1 }
    }
}

extension Request {
    /// Returns the body; `nil` if it does not arrive in time.
    ///
    /// - Throws: an error if the body is longer than the limit.
    fileprivate func bytes(upTo limit: Int, within timeout: Duration) async throws -> [UInt8]? {
        let body = body
        return try await withThrowingTaskGroup(of: [UInt8]?.self) { group in
            group.addTask { Array(try await body.collect(upTo: limit).readableBytesView) }
            group.addTask {
                try await Task.sleep(for: timeout)
                return nil
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
    }
}
