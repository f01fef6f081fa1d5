import Foundation
import Synchronization

/// The smallest server for a load generator. It answers each payment as captured, on one thread, and parses only the HTTP that
/// the load generator sends.
public final class BareResponder: Sendable {
    /// An answer.
    public struct Answer: Sendable {
        public var status: Int
        public var body: String

        public init(status: Int = 200, body: String) {
            self.status = status
            self.body = body
        }

        public static func captured(_ reference: String) -> Answer {
            Answer(body: #"{"merchant_reference":"\#(reference)","outcome":"captured"}"#)
        }
    }

    /// A listener could not be opened.
    struct Failure: Error {}

    public let port: Int
    private let listener: Int32
    private let isStopping = Atomic(false)

    public var address: String { "http://127.0.0.1:\(port)" }

    /// - Parameters:
    ///   - port: The port, or 0 for a port that the system chooses.
    ///   - answer: Returns the answer to the payment with this reference and number, from 0. All other requests wait meanwhile.
    public init(
        port: Int = 0,
        answer: @escaping @Sendable (_ reference: String, _ number: Int) -> Answer = { reference, _ in
            .captured(reference)
        }
    ) throws {
        let listener = socket(AF_INET, BareResponder.stream, 0)
        self.listener = listener
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = in_addr_t(INADDR_LOOPBACK).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, length) == 0 && listen(listener, 1_024) == 0
                    && getsockname(listener, address, &length) == 0
            }
        }
        self.port = Int(in_port_t(bigEndian: address.sin_port))
        guard isListening else { throw Failure() }
        Thread { [weak self] in
            var connections = Connections(listener: listener, answer: answer)
            while self.map({ !$0.isStopping.load(ordering: .relaxed) }) ?? false { connections.serve() }
            connections.close()
        }.start()
    }

    /// Tells the thread to end. The thread notices within a tenth of a second, and closes everything.
    deinit { isStopping.store(true, ordering: .relaxed) }

    #if os(Linux)
    private static let stream = Int32(SOCK_STREAM.rawValue)
    #else
    private static let stream = SOCK_STREAM
    #endif
}
