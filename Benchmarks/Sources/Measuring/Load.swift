import CLoad

/// A load from one thread, over connections that are kept alive from one run to the next.
public final class Load {
    private let load: OpaquePointer
    private let expected: String

    /// - Parameters:
    ///   - ports: The ports on loopback. Connections are assigned to them in turn.
    ///   - expected: A text that every good answer contains.
    public init(to ports: [UInt16], connections: Int, expecting expected: String) {
        load = load_open(ports, ports.count, connections)
        self.expected = expected
    }

    deinit { load_close(load) }

    /// The result of one run.
    public struct Result {
        /// The time from the first request to the last answer.
        public let seconds: Double
        /// The latencies in nanoseconds, ascending. Each is measured from the time when the request should have left to the end
        /// of its answer.
        public let latencies: [UInt64]

        /// Answers a second.
        public var rate: Double { Double(latencies.count) / seconds }

        /// - Parameter share: A share of the requests, less than 1.
        /// - Returns: The number of milliseconds that this share of the requests did not exceed.
        public func milliseconds(at share: Double) -> Double {
            Double(latencies[Int(share * Double(latencies.count))]) / 1e6
        }
    }

    /// A failed request. A run with a failed request measures nothing.
    public struct Failure: Error, CustomStringConvertible {
        public let description: String
    }

    /// Sends every request once.
    ///
    /// - Parameter rate: Requests a second, whether or not earlier requests were answered. If `nil`, each connection sends its
    ///   next request when the answer to its last one has arrived.
    @discardableResult
    public func run(_ requests: Requests, rate: Double? = nil) throws -> Result {
        var latencies = [UInt64](repeating: 0, count: requests.count)
        let seconds = load_run(
            load, requests.bytes, requests.ends, requests.count, rate ?? 0, expected, &latencies)
        guard seconds > 0 else { throw Failure(description: String(cString: load_trouble(load))) }
        return Result(seconds: seconds, latencies: latencies.sorted())
    }
}
