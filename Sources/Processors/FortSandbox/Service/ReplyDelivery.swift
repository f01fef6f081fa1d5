import Glibc
import HTTPListener
import HTTPTypes
import Hummingbird
import NIOCore
import ServiceLifecycle

/// The context of the sandbox's routes: it has the connection, which some faults break.
struct SandboxRequestContext: AddressedRequestContext {
    var coreContext: CoreRequestContextStorage
    let channel: any Channel

    var localAddress: String? { channel.localAddress?.ipAddress }

    init(source: Source) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }
}

extension FortSandboxService {
    /// Sends a reply, or breaks the connection in place of it.
    static func deliver(_ reply: FortSandbox.Reply, over channel: any Channel) async throws -> Response {
        switch reply {
        case .answer(let bytes): return Response(json: bytes)
        case .late(let bytes, let seconds):
            await wait(seconds: seconds, whileOpen: channel)
            return Response(json: bytes)
        case .half(let bytes): return Response(halfOf: bytes)
        case .silence:
            // Longer than any client waits.
            await wait(seconds: 600, whileOpen: channel)
            return Response(status: .gatewayTimeout)
        case .reset:
            // With a linger time of zero, closing sends RST and not FIN.
            try await (channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
            try await channel.close()
            throw ConnectionBroken()
        case .failure:
            return Response(
                status: .internalServerError, headers: [.contentType: "text/html"],
                body: ResponseBody(byteBuffer: ByteBuffer(string: "<html><body>Internal server error</body></html>")))
        }
    }

    /// Waits, at most until the client disconnects or the sandbox stops.
    private static func wait(seconds: Double, whileOpen channel: any Channel) async {
        // Otherwise a client that hangs up closes its half alone, and the connection stays.
        try? await channel.setOption(.allowRemoteHalfClosure, value: false).get()
        let (open, closing) = AsyncStream.makeStream(of: Never.self)
        channel.closeFuture.whenComplete { _ in closing.finish() }
        await withTaskGroup { group in
            group.addTask { for await _ in open {} }
            group.addTask {
                try? await cancelWhenGracefulShutdown { try await Task.sleep(for: .seconds(seconds)) }
            }
            await group.next()
            group.cancelAll()
        }
    }
}

/// Thrown where the connection is gone and there is no response to send.
private struct ConnectionBroken: Error {}

extension Response {
    init(json bytes: [UInt8], status: HTTPResponse.Status = .ok) {
        self.init(
            status: status, headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    /// The response to a request that a foreign web page made through a browser.
    init(refusing error: CrossSiteError) {
        let status: HTTPResponse.Status =
            switch error {
            case .foreignHost: .misdirectedRequest
            case .crossSite: .forbidden
            }
        self.init(json: Array(#"{"error":"\#(error)"}"#.utf8), status: status)
    }

    /// Has the Content-Length of all bytes and sends half of them. An error while a body is written closes the connection.
    fileprivate init(halfOf bytes: [UInt8]) {
        self.init(
            status: .ok, headers: [.contentType: "application/json"],
            body: ResponseBody(contentLength: bytes.count) { writer in
                try await writer.write(ByteBuffer(bytes: bytes.prefix(bytes.count / 2)))
                throw ConnectionBroken()
            })
    }
}
