import Foundation
import OutboundHTTP
import PayrelayPrimitives
import TestPrograms
import Testing

@testable import PortmoneAPI

/// The client over libcurl, against a server in Python that shares no code with it.
@Suite(.enabled(if: Server.python != nil, "needs Python"))
struct PortmoneClientOverHTTPTests {
    private func send(_ behaviour: String, timeout: Duration = .seconds(20)) async throws -> Outcome<PortmoneAnswer> {
        let server = try Server(behaviour)
        defer { withExtendedLifetime(server) {} }
        let transport = OutboundClient()
        defer { transport.shutdown() }
        let client = PortmoneClient(
            account: try Samples.account(), endpoint: try PortmoneEndpoint(server.url), transport: transport)
        return await client.send(ResultRequest(.order("ORDER-1")), timeout: timeout)
    }

    @Test("a request is a POST of JSON, and its answer is read")
    func asks() async throws {
        guard case .entries(let entries) = try await send("result").get().content else {
            Issue.record("no entries")
            return
        }
        #expect(entries.first?.status == .payed)
        #expect(entries.first?.members["asked"] == "POST /r3/api/gateway/ application/json result ORDER-1")
    }

    @Test("S3: a redirect is not followed, and an error's body is not believed", arguments: ["302", "500"])
    func otherStatus(behaviour: String) async throws {
        guard case .unknown(let reason) = try await send(behaviour) else {
            Issue.record("it was believed")
            return
        }
        #expect(reason == "Portmone's answer proves nothing: the HTTP status is \(behaviour)")
    }

    @Test("R9, R10: silence, and an answer that is cut off, are unknown", arguments: ["silent", "cut"])
    func noAnswer(behaviour: String) async throws {
        guard case .unknown(let reason) = try await send(behaviour, timeout: .seconds(5)) else {
            Issue.record("a lost request must not count as answered, nor as not sent")
            return
        }
        #expect(reason.hasPrefix("Portmone did not answer"))
    }

    @Test("if nothing listens, nothing was sent")
    func notSent() async throws {
        let transport = OutboundClient()
        defer { transport.shutdown() }
        // A bound socket that does not listen refuses connections, and no other process can take its port.
        let socket = try LoopbackSocket()
        defer { withExtendedLifetime(socket) {} }
        let client = PortmoneClient(
            account: try Samples.account(), endpoint: try PortmoneEndpoint("http://127.0.0.1:\(socket.port)/"),
            transport: transport)
        guard case .notSent = await client.send(ResultRequest.probe(), timeout: .seconds(20)) else {
            Issue.record("nothing can have been sent")
            return
        }
    }
}

/// The server's process, which ends with this object.
private final class Server {
    static let python = ["/usr/bin/python3", "/usr/local/bin/python3"].first(
        where: FileManager.default.isExecutableFile(atPath:))

    let url: String
    private let program: TestProgram

    init(_ behaviour: String) throws {
        let output = Pipe()
        program = try TestProgram(
            [Self.python ?? "", "-c", Self.source, behaviour], environment: ["PYTHONDONTWRITEBYTECODE": "1"],
            output: .pipe(output))
        var line: [UInt8] = []
        while let byte = try output.fileHandleForReading.read(upToCount: 1)?.first, byte != UInt8(ascii: "\n") {
            line.append(byte)
        }
        url = "http://127.0.0.1:\(String(decoding: line, as: UTF8.self))/r3/api/gateway/"
    }

    private static let source = """
        import http.server, json, sys, time
        behaviour = sys.argv[1]
        class Gateway(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                asked = " ".join([self.command, self.path, self.headers["Content-Type"], body["method"],
                                  body["params"]["data"]["shopOrderNumber"]])
                if behaviour == "silent":
                    time.sleep(60)
                answer = json.dumps([{"status": "PAYED", "asked": asked}]).encode()
                self.send_response(int(behaviour) if behaviour.isdigit() else 200)
                self.send_header("Location", "/elsewhere")
                self.send_header("Content-Length", str(len(answer) + (9 if behaviour == "cut" else 0)))
                self.end_headers()
                self.wfile.write(answer)
            def log_message(self, *_):
                pass
        server = http.server.HTTPServer(("127.0.0.1", 0), Gateway)
        print(server.server_port, flush=True)
        server.serve_forever()
        """
}
