import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOEmbedded
import Testing

@testable import RelayServer

@Suite struct RateMiddlewareTests {
    private func client(at address: String?, _ path: String = "/v1/payments") -> String? {
        let head = HTTPRequest(method: .post, scheme: "http", authority: "relay", path: path)
        var context = RelayRequestContext(
            source: ApplicationRequestContextSource(
                channel: NIOAsyncTestingChannel(), logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }))
        context.callerAddress = address
        return RateMiddleware.client(Request(head: head, body: RequestBody(buffer: ByteBuffer())), context)
    }

    @Test func anAddressIsAClientAndOfIPv6ItsNetwork() {
        #expect(client(at: "192.0.2.1") != client(at: "192.0.2.2"))
        #expect(client(at: "2001:db8::1") == client(at: "2001:db8::ffff:ffff:ffff:ffff"))
        #expect(client(at: "2001:db8::1") != client(at: "2001:db8:0:1::1"))
        #expect(client(at: "::ffff:192.0.2.1") != client(at: "::ffff:192.0.2.2"))
    }

    @Test func feedbackIsNotCounted() {
        #expect(client(at: "192.0.2.1", "/v1/feedback/direct") == nil)
        #expect(client(at: "192.0.2.1", "/v1/feedback/notification") == nil)
    }
}
