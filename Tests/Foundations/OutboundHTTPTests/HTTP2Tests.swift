import Foundation
import PayrelayPrimitives
import Testing

@testable import OutboundHTTP

/// Requests to an HTTP/2 server in Node.js, whose implementation (nghttp2 behind Node's API) is independent of this target.
@Suite(.timeLimit(.minutes(25)), .enabled(if: isInstalled("node"))) struct HTTP2Tests {
    private let certificate: Certificate
    private let server: RunningProgram
    private let client: OutboundClient
    private var url: String { "https://127.0.0.1:\(server.announced)" }

    /// A server that echoes the body, over HTTP/1.1 too. Once the body has arrived, /refuse refuses the stream and /die breaks
    /// the connection. /counts reports the number of HTTP/2 connections and the number of refused or broken requests.
    private static let program = """
        const fs = require('fs'), http2 = require('http2')
        const server = http2.createSecureServer(
            { cert: fs.readFileSync(process.argv[1]), key: fs.readFileSync(process.argv[2]), allowHTTP1: true })
        let sessions = 0, broken = 0
        server.on('session', (session) => { sessions++; session.on('error', () => {}) })
        server.on('sessionError', () => {})
        server.on('request', (request, response) => {
            const path = request.url, stream = request.stream, pieces = []
            request.on('error', () => {})
            request.on('data', (piece) => pieces.push(piece))
            request.on('end', () => {
                if (path == '/refuse') { broken++; stream.close(http2.constants.NGHTTP2_REFUSED_STREAM); return }
                if (path == '/die') { broken++; stream.session.destroy(); return }
                // The body has two pieces: the second is the empty frame that some servers end with.
                response.write(path == '/counts' ? `${sessions} ${broken}` : Buffer.concat(pieces))
                response.end()
            })
        })
        server.listen(0, '127.0.0.1', () => console.log('PORT ' + server.address().port))
        """

    init() throws {
        certificate = try Certificate()
        server = try RunningProgram(
            ["node", "-e", Self.program, certificate.certificateFile, certificate.keyFile], announcing: "PORT ")
        client = OutboundClient(
            OutboundSettings(caFile: certificate.certificateFile, idleLimit: .seconds(600), offersHTTP2: true))
    }

    private func counts(by client: OutboundClient) async throws -> String {
        let answer = try await client.send(OutboundRequest(method: .get, url: url + "/counts")).get()
        return String(decoding: answer.body, as: UTF8.self)
    }

    @Test("Many requests to a server that offers HTTP/2 all complete, and all use HTTP/1.1")
    func breaksOffNoneOfMany() async throws {
        let client = OutboundClient(OutboundSettings(caFile: certificate.certificateFile))
        for _ in 0..<60 {
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<50 {
                    group.addTask { [url] in
                        let body = Array("request \(number)".utf8)
                        return try await client.send(OutboundRequest(url: url, body: body)).get().body == body
                    }
                }
                for try await isItsOwn in group { #expect(isItsOwn) }
            }
        }
        #expect(try await counts(by: client) == "0 0")
    }

    @Test(arguments: ["/refuse", "/die"])
    func doesNotRepeatARequestThatBreaksOff(path: String) async throws {
        _ = try await client.send(OutboundRequest(url: url, body: [1])).get()
        let failure = await client.failure(of: OutboundRequest(url: url + path, body: [1]))
        #expect(failure.isNotSent == false)
        #expect(try await counts(by: client).hasSuffix(" 1"))
    }
}
