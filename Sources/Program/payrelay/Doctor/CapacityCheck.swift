import Composition
import FoundationEssentials
import GatewayModule
import PayrelayPrimitives

/// Checks how many payments the limit of requests in flight to a gateway allows, and whether this machine has
/// enough memory for them.
struct CapacityCheck {
    /// The gateway's name.
    let gateway: String
    let requestsInFlight: Int
    /// The memory in bytes; `nil` if it is not known.
    let memory: Int?

    /// The memory of a payment while its gateway has not answered, in bytes: docs/performance.md.
    private static let bytesPerRequest = 120 * 1_024

    var diagnostic: Diagnostic {
        let needed = requestsInFlight * Self.bytesPerRequest
        let detail =
            "\(requestsInFlight) requests in flight: \(Int(Double(requestsInFlight) / 1.5)) payments a second if it takes 1.5 seconds, "
            + "\(requestsInFlight / 10) if it takes 10. They take \(needed / 1_048_576) MiB"
        let check = "capacity: \(gateway)"
        guard let memory else {
            return .unknown(check, "\(detail); this machine's memory is not known", advice: nil)
        }
        guard needed <= memory / 2 else {
            return .fail(
                check, "\(detail), more than half of the \(memory / 1_048_576) MiB here",
                advice:
                    "Lower PAYRELAY_\(gateway.uppercasedASCII)_REQUESTS_IN_FLIGHT_MAX, or give the relay more memory.")
        }
        return .pass(check, "\(detail) of \(memory / 1_048_576)")
    }
}

/// The memory that this process may use.
struct MemoryLimit {
    /// The control group's limit in bytes, or the machine's memory if that is less; `nil` if neither can be read.
    let bytes: Int?

    /// - Parameters:
    ///   - group: the control group's `memory.max`, a number of bytes or `max`.
    ///   - machine: the content of `/proc/meminfo`, proc\(5\).
    init(group: String?, machine: String?) {
        let limit = group.flatMap { Int($0.trimmed) }
        let kilobytes = machine?.lines.lazy.compactMap { $0.after("MemTotal:") }.first
            .flatMap { Int($0.trimmed.cut(at: " ").0) }
        let total = kilobytes.map { $0.multipliedReportingOverflow(by: 1_024) }
            .flatMap { $0.overflow ? nil : $0.partialValue }
        bytes = [limit, total].compactMap { $0 }.filter { $0 > 0 }.min()
    }

    static var current: MemoryLimit {
        let paths = ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"]
        return MemoryLimit(
            group: paths.lazy.compactMap { try? String(contentsOfFile: $0, encoding: .utf8) }.first,
            machine: try? String(contentsOfFile: "/proc/meminfo", encoding: .utf8))
    }
}
