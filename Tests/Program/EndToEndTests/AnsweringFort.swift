import FortAPI
import Foundation
import PayrelayPrimitives
import Synchronization
import TestPrograms

/// A FORT with the answers of a test, signed for an account.
final class AnsweringFort: Sendable {
    /// Signs with HMAC-SHA256.
    static let phrase = "answering-fort"

    let endpoint: String
    private let socket: LoopbackSocket
    private let end: End

    /// Whether the connections without an answer are closed.
    private final class End: Sendable {
        let isThere = Mutex(false)
    }

    /// - Parameters:
    ///   - probes: how many questions about an order that does not exist it answers by itself. The first makes the account chargeable.
    ///   - phrase: the response phrase that signs its answers.
    ///   - answer: the members of the answer to any other request, in addition to the echo of the request, and to FORT's number of the order
    ///     where it is about one. Each is made on a thread of its own, and may wait. `nil` leaves the request without an answer.
    init(
        answeringProbes probes: Int = .max, signingWith phrase: String = AnsweringFort.phrase,
        _ answer: @escaping @Sendable (JSONObject) -> JSONObject?
    ) throws {
        socket = try LoopbackSocket()
        endpoint = "http://127.0.0.1:\(socket.port)/FortAPI/paymentApi"
        let probesLeft = Mutex(probes)
        let end = End()
        self.end = end
        try socket.accept { _, connection in
            defer { close(connection) }
            guard let received = ReceivedRequest(from: connection),
                let request = try? JSON(parsing: received.body).objectValue
            else { return }
            let isAnsweredProbe =
                request["merchant_reference"] == "payrelay-probe"
                && probesLeft.withLock { left in
                    guard left > 0 else { return false }
                    left -= 1
                    return true
                }
            guard let members = isAnsweredProbe ? Self.noSuchOrder : answer(request) else {
                // Until the relay gives up, or the test ends it.
                var pause = timeval(tv_sec: 0, tv_usec: 50_000)
                setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &pause, socklen_t(MemoryLayout<timeval>.size))
                var byte: UInt8 = 0
                while !end.isThere.withLock({ $0 }) {
                    let count = recv(connection, &byte, 1, 0)
                    guard count > 0 || count < 0 && errno == EAGAIN else { return }
                }
                return
            }
            let body = Self.signed(request, members, with: phrase)
            let head =
                "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(body.count)\r\n"
                + "Connection: close\r\n\r\n"
            let bytes = Array(head.utf8) + body
            _ = send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        }
    }

    private static let noSuchOrder: JSONObject = ["response_code": "12036", "status": "12"]

    /// It answers the question that makes the account chargeable, and nothing afterwards.
    static func silent(signingWith phrase: String = AnsweringFort.phrase) throws -> AnsweringFort {
        try AnsweringFort(answeringProbes: 1, signingWith: phrase) { _ in nil }
    }

    var port: Int { socket.port }

    /// Closes the connections that wait for an answer. Its port stays bound, and is dead.
    func stop() {
        socket.stopListening()
        end.isThere.withLock { $0 = true }
    }

    deinit { end.isThere.withLock { $0 = true } }

    /// It has charged an order twice as much as was asked for, under a number of its own.
    ///
    /// - Parameter number: FORT's of the order that it tells of.
    static func withASecondCharge(_ number: @escaping @Sendable () -> String) throws -> AnsweringFort {
        try AnsweringFort { request in
            guard request["query_command"] == "CHECK_STATUS" else {
                return ["response_code": "14000", "status": "14", "fort_id": "1"]
            }
            return [
                "response_code": "12000", "status": "12", "transaction_status": "14", "transaction_code": "14000",
                "authorized_amount": "20000", "captured_amount": "20000", "refunded_amount": "0",
                "fort_id": .string(number()),
            ]
        }
    }

    /// The settings of a relay that takes it for its FORT.
    var settings: [String: String] {
        [
            "PAYRELAY_FORT_ENDPOINT": endpoint, "PAYRELAY_FORT_RESPONSE_PHRASE": Self.phrase,
            "PAYRELAY_FORT_TIMEOUT_SECONDS": "30",
        ]
    }

    private static func signed(_ request: JSONObject, _ answer: JSONObject, with phrase: String) -> [UInt8] {
        var message = JSONObject(
            request.members.filter { $0.name != "signature" && !$0.name.hasPrefix("apple_") }.map {
                ($0.name, $0.value)
            })
        if request["command"] != nil || answer["transaction_status"] != nil {
            message["fort_id"] = "149295435400084008"
        }
        for member in answer.members { message[member.name] = member.value }
        let signature = FortSignature(of: message, phrase: Secret(phrase), type: .standard)
        message["signature"] = .string(signature.hexadecimal)
        return JSON.object(message).encoded()
    }
}
