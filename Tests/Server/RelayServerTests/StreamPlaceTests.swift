import HTTPListener
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOEmbedded
import Testing

@testable import RelayServer

/// Answers that are sent while they are being made, and the slots that they take.
@Suite struct StreamPlaceTests {
    private static let router = RelayRouter(
        routes: [
            Route(.get, "/stream", access: .anyone) { _ in
                Answer(head: HTTPResponse(status: .ok)) { write in try await write(ByteBuffer(string: "a")) }
            },
            Route(.get, "/whole", access: .anyone) { _ in Answer(head: HTTPResponse(status: .ok), body: [1]) },
            Route(.get, "/unchanged", access: .anyone) { _ in
                Answer(head: HTTPResponse(status: .notModified), body: [])
            },
        ], metrics: RelayMetrics(), limits: ListenerLimits(requestsInFlight: 8))

    private func response(_ path: String, _ method: HTTPRequest.Method = .get) async -> Response {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let head = HTTPRequest(method: method, scheme: "http", authority: "relay", path: path)
        return await Self.router.respond(
            to: Request(head: head, body: RequestBody(buffer: ByteBuffer())),
            context: RelayRequestContext(
                source: ApplicationRequestContextSource(channel: NIOAsyncTestingChannel(), logger: logger)))
    }

    @Test("S14: unread answers take separate slots, and none from other requests")
    func streamsHavePlacesOfTheirOwn() async {
        // Such answers get an eighth of the slots, which is one here. A response keeps its slot until it was sent.
        var unread: Response? = await response("/stream")
        #expect(unread?.status == .ok)
        for _ in 0..<20 {
            #expect(await response("/stream").status == .serviceUnavailable)
            #expect(await response("/whole").status == .ok)
        }
        unread = nil
        #expect(await response("/stream").status == .ok)
    }

    @Test("the length in a response without a body is the resource's, or is not there (RFC 9110, 8.6)")
    func lengthsOfResponsesWithoutABody() async {
        #expect(await response("/whole", .head).headers[.contentLength] == "1")
        #expect(await response("/stream", .head).headers[.contentLength] == nil)
        #expect(await response("/unchanged").headers[.contentLength] == nil)
        #expect(await response("/unchanged", .head).headers[.contentLength] == nil)
    }
}
