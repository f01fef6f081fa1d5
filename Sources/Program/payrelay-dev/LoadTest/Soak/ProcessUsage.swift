import FoundationEssentials
import Glibc
import PayrelayPrimitives
import Synchronization

/// The resource usage of a process at a moment.
struct ProcessUsage: Sendable, Equatable {
    /// The time after the start of the run.
    var moment: Duration
    var residentBytes: Int
    /// The number of open file descriptors.
    var descriptors: Int
    /// The CPU time on all cores since the process began.
    var cpuTime: Duration

    init(moment: Duration, residentBytes: Int, descriptors: Int, cpuTime: Duration) {
        self.moment = moment
        self.residentBytes = residentBytes
        self.descriptors = descriptors
        self.cpuTime = cpuTime
    }

    /// Reads Linux's `/proc` (proc(5)).
    ///
    /// - Returns: `nil` if the process has ended, or if the system has no `/proc`.
    init?(of process: Int32, at moment: Duration) {
        let folder = "/proc/\(process)"
        guard let memory = Self.words(of: "\(folder)/statm"), memory.count > 1, let pages = Int(memory[1]),
            let descriptors = try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/fd").count,
            let status = FileManager.default.contents(atPath: "\(folder)/stat"),
            // The name in parentheses may contain any character; utime and stime are the 12th and 13th word after
            // it.
            let name = status.lastIndex(of: UInt8(ascii: ")"))
        else { return nil }
        let words = status[name...].split(separator: UInt8(ascii: " ")).map { Int(String(decoding: $0, as: UTF8.self)) }
        guard words.count > 13, let user = words[12], let system = words[13] else { return nil }
        self.init(
            moment: moment, residentBytes: pages * sysconf(Int32(_SC_PAGESIZE)), descriptors: descriptors,
            cpuTime: .seconds(Double(user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))))
    }

    /// The CPU time of this process on all cores since it began.
    static var ownCPUTime: Duration {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        func duration(_ time: timeval) -> Duration { .seconds(Int(time.tv_sec)) + .microseconds(Int(time.tv_usec)) }
        return duration(usage.ru_utime) + duration(usage.ru_stime)
    }

    private static func words(of path: String) -> [Substring]? {
        FileManager.default.contents(atPath: path).map {
            String(decoding: $0, as: UTF8.self).words
        }
    }
}

/// Measures a process each second while work is running.
final class ProcessWatch: Sendable {
    private let process: Int32?
    private let seen = Mutex<[ProcessUsage]>([])

    /// - Parameter process: the process; `nil` to measure nothing.
    init(of process: Int32?) {
        self.process = process
    }

    var usage: [ProcessUsage] { seen.withLock { $0 } }

    /// Runs the work. Measures the process at the beginning, each second, and at the end.
    func during<Result: Sendable>(_ work: @Sendable () async -> Result) async -> Result {
        let start = ContinuousClock.now
        look(since: start)
        let looking = Task {
            while (try? await Task.sleep(for: .seconds(1))) != nil { look(since: start) }
        }
        let result = await work()
        looking.cancel()
        await looking.value
        look(since: start)
        return result
    }

    private func look(since start: ContinuousClock.Instant) {
        guard let process, let usage = ProcessUsage(of: process, at: start.duration(to: .now)) else { return }
        seen.withLock { $0.append(usage) }
    }
}
