import Foundation
import Synchronization

/// A TCP port that nobody listens at. It lies below the range from which the system takes ports for outgoing connections, so
/// that none of those takes it before the program that is to listen there has started.
enum FreePort {
    private static let last = Atomic(Int.random(in: 12_000..<25_000))

    static func next() -> Int {
        while true {
            let port = last.wrappingAdd(1, ordering: .relaxed).newValue
            if isFree(port) { return port }
        }
    }

    private static func isFree(_ port: Int) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        return sockaddr_in.loopback(port).withGenericAddress { bind(descriptor, $0, $1) } == 0
    }
}
