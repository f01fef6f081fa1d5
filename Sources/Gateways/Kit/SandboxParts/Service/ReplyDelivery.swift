import Glibc
package import HTTPListener
package import HTTPTypes
package import Hummingbird
package import NIOCore
import ServiceLifecycle

extension SandboxReply {
    /// Sends the reply, or breaks the connection instead.
    ///
    /// - Parameter contentType: the content type of the gateway's answers.
    package func deliver(
        over channel: any Channel, as contentType: String = "application/json"
    ) async throws -> Response {
        switch self {
        case .answer(let bytes): return Response(json: bytes, as: contentType)
        case .late(let bytes, let seconds):
            await Self.wait(seconds: seconds, whileOpen: channel)
            return Response(json: bytes, as: contentType)
        case .half(let bytes): return Response(halfOf: bytes, as: contentType)
        case .silence:
            // The time is longer than any client waits.
            await Self.wait(seconds: 600, whileOpen: channel)
            return Response(status: .gatewayTimeout)
        case .reset:
            // With a linger time of zero, closing the connection sends RST instead of FIN.
            try await (channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
            try await channel.close()
            throw ConnectionBroken()
        case .failure:
            return Response(
                status: .internalServerError, headers: [.contentType: "text/html"],
                body: ResponseBody(byteBuffer: ByteBuffer(string: "<html><body>Internal server error</body></html>")))
        }
    }

    /// Waits until the time has passed, the client disconnects, or the sandbox stops.
    private static func wait(seconds: Double, whileOpen channel: any Channel) async {
        // Without this option, a client that disconnects would close only its half, and the connection would stay
        // open.
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

/// The error for a connection that is closed, so that no response can be sent.
private struct ConnectionBroken: Error {}

extension Response {
    package init(json bytes: [UInt8], status: HTTPResponse.Status = .ok, as contentType: String = "application/json") {
        self.init(
            status: status, headers: [.contentType: contentType],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    /// Creates the response to a request that a foreign web page made through a browser.
    package init(refusing error: CrossSiteError) {
        let status: HTTPResponse.Status =
            switch error {
            case .foreignHost: .misdirectedRequest
            case .crossSite: .forbidden
            }
        self.init(json: Array(#"{"error":"\#(error)"}"#.utf8), status: status)
    }

    /// Creates a response with the Content-Length of all bytes that sends only half of them. An error while a
    /// body is written closes the connection.
    fileprivate init(halfOf bytes: [UInt8], as contentType: String) {
        self.init(
            status: .ok, headers: [.contentType: contentType],
            body: ResponseBody(contentLength: bytes.count) { writer in
                try await writer.write(ByteBuffer(bytes: bytes.prefix(bytes.count / 2)))
                throw ConnectionBroken()
            })
    }
}
