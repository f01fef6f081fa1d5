import CLoad

/// A load from one thread, over connections that are kept alive from one run to the next.
public final class Load {
    private let load: OpaquePointer
    private let expected: String

    /// - Parameters:
    ///   - ports: on loopback; the connections are dealt out to them in turn.
    ///   - expected: stands in every good answer.
    public init(to ports: [UInt16], connections: Int, expecting expected: String) {
        load = load_open(ports, ports.count, connections)
        self.expected = expected
    }

    deinit { load_close(load) }

    /// What one run found.
    public struct Result {
        /// From the first request to the last answer.
        public let seconds: Double
        /// In nanoseconds, ascending: from when a request should have left to the end of its answer.
        public let latencies: [UInt64]

        /// Answers a second.
        public var rate: Double { Double(latencies.count) / seconds }

        /// - Parameter share: of the requests, less than 1.
        /// - Returns: the milliseconds that this share of them did not exceed.
        public func milliseconds(at share: Double) -> Double {
            Double(latencies[Int(share * Double(latencies.count))]) / 1e6
        }
    }

    /// A request failed: such a run measures nothing.
    public struct Failure: Error, CustomStringConvertible {
        public let description: String
    }

    /// Sends every request once.
    ///
    /// - Parameter rate: requests a second, whatever became of the ones before; nil sends the next on a connection when the
    ///   answer to the last has come.
    @discardableResult
    public func run(_ requests: Requests, rate: Double? = nil) throws -> Result {
        var latencies = [UInt64](repeating: 0, count: requests.count)
        let seconds = load_run(
            load, requests.bytes, requests.ends, requests.count, rate ?? 0, expected, &latencies)
        guard seconds > 0 else { throw Failure(description: String(cString: load_trouble(load))) }
        return Result(seconds: seconds, latencies: latencies.sorted())
    }
}
