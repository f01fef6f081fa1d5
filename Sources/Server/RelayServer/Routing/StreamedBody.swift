import HTTPTypes
import Hummingbird

extension Response {
    /// A response whose body is sent while it is made. The listener disconnects a client that takes nothing of it.
    init(
        _ head: HTTPResponse, holding underWay: RequestUnderWay,
        _ body: @escaping @Sendable (RouteResponse.Write) async throws -> Void
    ) {
        self.init(
            status: head.status, headers: head.headerFields,
            body: ResponseBody { writer in
                defer { withExtendedLifetime(underWay) {} }
                try await body { try await writer.write($0) }
                try await writer.finish(nil)
            })
    }
}
