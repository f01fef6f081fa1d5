import PayrelayPrimitives
import TestPrograms
import Testing

/// Clients that open HTTP/2 connections and streams and abandon them. No library does that, so the frames are
/// written here (RFC 9113).
@Suite struct HTTP2LimitTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func relay(_ settings: [String: String]) async throws -> RunningRelay {
        let certificate = try ServerCertificate("relay", in: folder)
        return try await RunningRelay(
            settings.merging([
                "PAYRELAY_HTTP_TLS_CERTIFICATE_FILE": certificate.certificateFile,
                "PAYRELAY_HTTP_TLS_KEY_FILE": certificate.keyFile,
            ]) { $1 })
    }

    static let frames = #"""
        import json, socket, ssl, struct, sys, time
        def frame(kind, flags, stream, payload=b""):
            return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload
        # HPACK (RFC 7541): two names and values of the static table, and literals for the rest.
        def head(stream, method, path, flags):
            fields = {"GET": b"\x82", "POST": b"\x83"}[method] + b"\x87\x04" + bytes([len(path)]) + path.encode() + b"\x01\x09localhost"
            fields += b"\x0f\x10\x10application/json"
            return frame(1, flags, stream, fields)
        preface, settings = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", frame(4, 0, 0)
        context = ssl._create_unverified_context()
        context.set_alpn_protocols(["h2"])
        def connect(first):
            connection = socket.create_connection(("127.0.0.1", int(sys.argv[1])), 300)
            connection = context.wrap_socket(connection, server_hostname="localhost")
            connection.sendall(first)
            return connection
        # What comes until the connection ends, it is enough, or for so many seconds; and whether it ended.
        def read(connection, seconds, is_enough=lambda data: False):
            data, end = b"", time.time() + seconds
            while time.time() < end and not is_enough(data):
                connection.settimeout(max(0.01, end - time.time()))
                try: piece = connection.recv(65536)
                except socket.timeout: return data, False
                except OSError: return data, True
                if not piece: return data, True
                data += piece
            return data, False
        def frames(data):
            while len(data) >= 9:
                length = int.from_bytes(data[:3], "big")
                if len(data) < 9 + length: return
                yield data[3], int.from_bytes(data[5:9], "big"), data[9:9 + length]
                data = data[9 + length:]
        """#

    @Test("S5: an HTTP/2 connection without a request is closed")
    func anHTTP2ConnectionWithoutARequestIsClosed() async throws {
        let relay = try await relay([
            "PAYRELAY_HTTP_HEAD_TIMEOUT_SECONDS": "5", "PAYRELAY_HTTP_BODY_TIMEOUT_SECONDS": "5",
            "PAYRELAY_HTTP_IDLE_TIMEOUT_SECONDS": "5",
        ])
        let output = try await Python.run(
            Self.frames + #"""

                begun = preface + settings
                silent = [b"", preface[:10], preface, begun, begun + head(1, "GET", "/v1/payments/a", 5),
                    begun + head(1, "GET", "/v1/payments/a", 1), begun + head(1, "POST", "/v1/payments", 4)]
                print(json.dumps([read(connection, 300)[1] for connection in [connect(first) for first in silent]]))
                """#, "\(relay.port)")
        #expect(output == "[true, true, true, true, true, true, true]\n")
    }

    @Test func anHTTP2ConnectionStaysOpenWhileAResponseIsPending() async throws {
        let fort = try AnsweringFort.silent()
        let relay = try await relay([
            "PAYRELAY_HTTP_HEAD_TIMEOUT_SECONDS": "5", "PAYRELAY_HTTP_IDLE_TIMEOUT_SECONDS": "5",
            "PAYRELAY_FORT_TIMEOUT_SECONDS": "15", "PAYRELAY_FORT_ENDPOINT": fort.endpoint,
            "PAYRELAY_FORT_RESPONSE_PHRASE": AnsweringFort.phrase,
        ])
        let body = String(decoding: try Orders.body().json.encoded(), as: UTF8.self)
        let output = try await Python.run(
            Self.frames + #"""

                connection = connect(preface + settings + head(1, "POST", "/v1/payments", 4) + frame(0, 1, 1, sys.argv[2].encode()))
                answer = b"".join(payload for kind, stream, payload in frames(read(connection, 300)[0]) if kind == 0)
                print(json.loads(answer)["outcome"])
                """#, "\(relay.port)", body)
        #expect(output == "uncertain\n")
    }

    /// Clients and proxies ask so whether a connection lives, which takes longest while a payment is under way.
    @Test func pingsDoNotEndAConnection() async throws {
        let fort = try AnsweringFort.silent()
        let relay = try await relay([
            "PAYRELAY_HTTP_IDLE_TIMEOUT_SECONDS": "5", "PAYRELAY_FORT_TIMEOUT_SECONDS": "15",
            "PAYRELAY_FORT_ENDPOINT": fort.endpoint, "PAYRELAY_FORT_RESPONSE_PHRASE": AnsweringFort.phrase,
        ])
        let body = String(decoding: try Orders.body().json.encoded(), as: UTF8.self)
        let output = try await Python.run(
            Self.frames + #"""

                connection = connect(preface + settings + head(1, "POST", "/v1/payments", 4) + frame(0, 1, 1, sys.argv[2].encode()))
                connection.sendall(20 * frame(6, 0, 0, b"are you?"))
                data = list(frames(read(connection, 300)[0]))
                print(json.loads(b"".join(payload for kind, _, payload in data if kind == 0))["outcome"])
                print([payload for kind, _, payload in data if kind == 6].count(b"are you?"))
                """#, "\(relay.port)", body)
        #expect(output == "uncertain\n20\n")
    }

    /// The oldest are closed, so that another client is served.
    @Test("S14: a stream beyond the limit closes the oldest")
    func aStreamBeyondTheLimitClosesTheOldest() async throws {
        let relay = try await relay([
            "PAYRELAY_HTTP_CONNECTIONS_MAX": "8", "PAYRELAY_HTTP_BODY_TIMEOUT_SECONDS": "3600",
        ])
        let output = try await Python.run(
            Self.frames + #"""

                connection = connect(preface + settings)
                for number in range(20): connection.sendall(head(2 * number + 1, "POST", "/v1/payments", 4))
                closed = lambda data: [stream for kind, stream, _ in frames(data) if kind == 3]
                data = read(connection, 300, lambda data: len(closed(data)) == 12)[0]
                # And no other after them.
                data = list(frames(data + read(connection, 1)[0]))
                print(sorted(stream for kind, stream, _ in data if kind == 3))
                print({json.loads(payload)["status"] for kind, stream, payload in data if kind == 0 and payload})
                # Another client's stream does, too.
                other = connect(preface + settings + head(1, "GET", "/v1/payments/a", 5))
                bodies = lambda data: [payload for kind, _, payload in frames(data) if kind == 0 and payload]
                print([json.loads(payload)["status"] for payload in bodies(read(other, 300, bodies)[0])])
                """#, "\(relay.port)")
        #expect(output == "[1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23]\n{503}\n[404]\n")
    }

    @Test func aStreamIsClosedOnceItsResponseIsSent() async throws {
        let relay = try await relay(["PAYRELAY_HTTP_BODY_TIMEOUT_SECONDS": "600"])
        let output = try await Python.run(
            Self.frames + #"""

                connection = connect(preface + settings + head(1, "POST", "/nowhere", 4))
                data = b""
                for second in range(300):
                    data += read(connection, 1)[0]
                    seen = [kind for kind, stream, _ in frames(data) if stream == 1]
                    if 3 in seen: break
                    connection.sendall(frame(0, 0, 1, b"x"))
                print(seen)
                """#, "\(relay.port)")
        // The head of the answer, its body, and RST_STREAM.
        #expect(output == "[1, 0, 3]\n" || output == "[1, 0, 0, 3]\n")
    }

    /// With an end of its own behind the last frame, Debian's libcurl resets every second stream, and its connection is closed for that
    /// after some hundred requests.
    @Test("The last frame of a response ends its stream, from the event loop and from a task")
    func theLastFrameEndsTheStream() async throws {
        let relay = try await relay([:])
        let body = String(decoding: try Orders.body().json.encoded(), as: UTF8.self)
        let output = try await Python.run(
            Self.frames + #"""

                # Each frame's kind, and whether it ends the stream.
                def ends(data, stream):
                    while len(data) >= 9:
                        if data[5:9] == struct.pack(">I", stream): yield data[3], data[4] & 1
                        data = data[9 + int.from_bytes(data[:3], "big"):]
                connection = connect(preface + settings + head(1, "POST", "/v1/payments", 4) + frame(0, 1, 1, sys.argv[2].encode())
                    + head(3, "GET", "/v1/payments/a", 5))
                data = read(connection, 300, lambda data: all(any(end for _, end in ends(data, stream)) for stream in (1, 3)))[0]
                # And nothing behind them.
                data += read(connection, 1)[0]
                print(list(ends(data, 1)), list(ends(data, 3)))
                """#, "\(relay.port)", body)
        #expect(output == "[(1, 0), (0, 1)] [(1, 0), (0, 1)]\n")
    }
}
