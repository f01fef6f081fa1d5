import FortAPI
import Foundation
import PayrelayPrimitives
import Synchronization
import TestPrograms

/// A FORT with a test's answers, signed for an account.
final class AnsweringFort: Sendable {
    /// The phrase that signs answers with HMAC-SHA256.
    static let phrase = "answering-fort"

    let endpoint: String
    private let socket: LoopbackSocket
    private let end: End

    /// Whether the connections without an answer are closed.
    private final class End: Sendable {
        let isThere = Mutex(false)
    }

    /// - Parameters:
    ///   - probes: The number of probes, queries about an order that does not exist, that FORT answers by itself. The first
    ///     makes the account chargeable.
    ///   - phrase: The response phrase that signs the answers.
    ///   - answer: Returns the members of the answer to any other request, in addition to the request's parameters and, for an
    ///     answer about an order, FORT's number. It runs on a separate thread and may wait. If it returns `nil`, the request
    ///     gets no answer.
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
                // Wait until the relay gives up, or until the test ends the wait.
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

    /// Returns a FORT that answers the probe that makes the account chargeable, and nothing afterwards.
    static func silent(signingWith phrase: String = AnsweringFort.phrase) throws -> AnsweringFort {
        try AnsweringFort(answeringProbes: 1, signingWith: phrase) { _ in nil }
    }

    var port: Int { socket.port }

    /// Closes the connections that wait for an answer. The port stays bound, and refuses connections.
    func stop() {
        socket.stopListening()
        end.isThere.withLock { $0 = true }
    }

    deinit { end.isThere.withLock { $0 = true } }

    /// Returns a FORT that has charged an order twice the requested amount, under another number.
    ///
    /// - Parameter number: Returns FORT's number of the order in its answers.
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

    /// The settings of a relay that uses this FORT.
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
