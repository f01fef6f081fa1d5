import Foundation
import Synchronization
import TestPrograms

/// A merchant's backend on loopback: it records every request and answers as configured.
final class EventBackend: Sendable {
    /// One request, as the backend received it.
    struct Delivery: Sendable {
        /// The headers, by their names in lower case.
        let headers: [String: String]
        let body: String
        /// The status of the answer, or `nil` if the request got no answer.
        let status: Int?
    }

    private let socket: LoopbackSocket
    private let shared: Shared

    /// The state that the backend shares with its threads, which outlive it briefly.
    private final class Shared: Sendable {
        let status: Mutex<Int?>
        /// A text. Requests whose body contains it get no answer.
        let hangsOn = Mutex<String?>(nil)
        let log = Mutex<[Delivery]>([])

        init(status: Int?) {
            self.status = Mutex(status)
        }
    }

    /// - Parameter status: The status of every answer, or `nil` for no answer.
    init(answering status: Int?) throws {
        shared = Shared(status: status)
        socket = try LoopbackSocket()
        try socket.accept { [shared] _, client in
            Self.serve(client, shared)
            close(client)
        }
    }

    var url: String { "http://127.0.0.1:\(socket.port)/events?from=payrelay" }

    /// The requests so far, in order.
    var deliveries: [Delivery] { shared.log.withLock { $0 } }

    func answer(_ status: Int?) {
        shared.status.withLock { $0 = status }
    }

    /// Leaves requests unanswered if their body contains this text.
    func hang(on text: String) {
        shared.hangsOn.withLock { $0 = text }
    }

    private static func serve(_ client: Int32, _ shared: Shared) {
        guard let request = ReceivedRequest(from: client) else { return }
        let body = String(decoding: request.body, as: UTF8.self)
        let isHeld = shared.hangsOn.withLock { $0 }.map(body.contains) ?? false
        let status = isHeld ? nil : shared.status.withLock { $0 }
        let headers = request.headers.merging(["request": request.line]) { $1 }
        shared.log.withLock { $0.append(Delivery(headers: headers, body: body, status: status)) }
        guard let status else {
            // Wait until the peer gives up.
            var byte: UInt8 = 0
            _ = recv(client, &byte, 1, 0)
            return
        }
        let redirect = (300..<400).contains(status) ? "Location: /elsewhere\r\n" : ""
        let answer = Array("HTTP/1.1 \(status) -\r\n\(redirect)Content-Length: 0\r\nConnection: close\r\n\r\n".utf8)
        _ = send(client, answer, answer.count, Int32(MSG_NOSIGNAL))
    }
}
