import HTTPListener
import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization

extension Response {
    /// A response whose body is sent while it is made. A client that takes nothing of it for ``stallLimit`` is disconnected: it would
    /// keep its place from others for as long as it likes.
    init(
        _ head: HTTPResponse, _ context: RelayRequestContext, holding underWay: RequestUnderWay,
        _ body: @escaping @Sendable (RouteResponse.Write) async throws -> Void
    ) {
        self.init(
            status: head.status, headers: head.headerFields,
            body: ResponseBody { writer in
                let progress = Progress()
                let watch = Task {
                    var seen = progress.count
                    while (try? await Task.sleep(for: Self.stallLimit)) != nil {
                        if progress.count == seen { return context.abort() }
                        seen = progress.count
                    }
                }
                defer {
                    watch.cancel()
                    withExtendedLifetime(underWay) {}
                }
                try await body { buffer in
                    try await writer.write(buffer)
                    progress.add()
                }
                try await writer.finish(nil)
            })
    }

    private static var stallLimit: Duration { .seconds(30) }

    private final class Progress: Sendable {
        private let pieces = Atomic(0)
        var count: Int { pieces.load(ordering: .relaxed) }
        func add() { pieces.add(1, ordering: .relaxed) }
    }
}
