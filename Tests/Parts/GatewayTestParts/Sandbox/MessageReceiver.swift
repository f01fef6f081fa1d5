import Foundation
import Synchronization
import TestPrograms

/// A merchant's server that receives the messages of a gateway during a test.
package final class MessageReceiver: Sendable {
    package struct Received: Sendable {
        package let path: String
        package let contentType: String?
        package let body: [UInt8]
    }

    private let messages = Mutex<[Received]>([])
    private let status: @Sendable (Int) -> Int
    private let text: String

    /// - Parameters:
    ///   - text: The body of its answers.
    ///   - status: Returns the status of the answer to the n-th message, from 1.
    package init(with text: String = "", answering status: @escaping @Sendable (Int) -> Int) {
        self.status = status
        self.text = text
    }

    package var received: [Received] { messages.withLock { $0 } }

    /// Waits until `count` messages have arrived. The suite's time limit ends the wait.
    package func wait(for count: Int) async throws {
        while received.count < count { try await Task.sleep(for: .milliseconds(5)) }
    }

    /// Runs the receiver on a free port, and then the test. The receiver answers on separate threads: a sender repeats a
    /// message without a timely answer, and the tests' threads may be busy for longer.
    package func serve(_ test: @Sendable (_ base: String) async throws -> Void) async throws {
        let socket = try LoopbackSocket()
        defer { socket.stopListening() }
        try socket.accept { [self] _, connection in
            answer(connection)
            close(connection)
        }
        try await test("http://127.0.0.1:\(socket.port)")
    }

    private func answer(_ connection: Int32) {
        guard let request = ReceivedRequest(from: connection) else { return }
        let words = request.line.split(separator: " ")
        let message = Received(
            path: words.count > 1 ? String(words[1]) : "", contentType: request.headers["content-type"],
            body: request.body)
        let number = messages.withLock {
            $0.append(message)
            return $0.count
        }
        let head = "HTTP/1.1 \(status(number)) -\r\nContent-Length: \(text.utf8.count)\r\nConnection: close\r\n\r\n"
        let answer = Array((head + text).utf8)
        _ = send(connection, answer, answer.count, Int32(MSG_NOSIGNAL))
    }
}
