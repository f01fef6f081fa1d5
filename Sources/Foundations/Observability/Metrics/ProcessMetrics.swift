import Glibc
import PayrelayPrimitives

/// The resource usage of the process, with the metric names of Prometheus' client libraries. A value that `/proc`
/// does not have is absent.
public enum ProcessMetrics {
    public static var families: [any MetricFamily] {
        let status = ProcessStatus()
        return [
            ScrapedFamily<NoLabels>(
                "process_cpu_seconds_total", .counter, "CPU time of the process, user and system, in seconds.",
                sample(cpuSeconds)),
            ScrapedFamily<NoLabels>(
                "process_resident_memory_bytes", .gauge, "Resident memory, in bytes.", sample(status.residentBytes)),
            ScrapedFamily<NoLabels>(
                "process_start_time_seconds", .gauge, "When the process started, in seconds since 1970.",
                sample(status.startedAt)),
            ScrapedFamily<NoLabels>(
                "process_open_fds", .gauge, "Open file descriptors.", sample(openFiles)),
            ScrapedFamily<NoLabels>(
                "process_max_fds", .gauge, "How many there may be.", sample(openFilesLimit)),
        ]
    }

    private static func sample(_ value: Double?) -> [(labels: NoLabels, value: Double)] {
        value.map { [(NoLabels(), $0)] } ?? []
    }

    private static var cpuSeconds: Double? {
        var time = timespec()
        guard clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) == 0 else { return nil }
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000
    }

    private static var openFiles: Double? {
        guard let directory = opendir("/proc/self/fd") else { return nil }
        defer { closedir(directory) }
        // The entries include `.`, `..` and the descriptor of the directory itself.
        var count = -3
        while readdir(directory) != nil { count += 1 }
        return Double(count)
    }

    private static var openFilesLimit: Double? {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return nil }
        return Double(limit.rlim_cur)
    }
}

/// The two fields of `/proc/self/stat` (proc(5)) that are needed.
struct ProcessStatus {
    private(set) var residentBytes: Double?
    /// The start of the process, in seconds since 1970.
    private(set) var startedAt: Double?

    init() {
        guard let text = Self.text(of: "/proc/self/stat") else { return }
        let fields = Self.fields(of: text)
        // Field 24 is the resident set in pages. Field 22 is the start in clock ticks since the machine booted.
        residentBytes = fields[24].map { Double($0) * Double(sysconf(Int32(_SC_PAGESIZE))) }
        guard let ticks = fields[22], let bootedAt = Self.bootedAt else { return }
        startedAt = bootedAt + Double(ticks) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// Returns the numeric fields by their number in proc(5). The second field is the program's name in
    /// parentheses, which may contain any character.
    static func fields(of text: String) -> [Int: UInt64] {
        guard let end = text.parts(at: ")").last, end.startIndex > text.startIndex else { return [:] }
        var fields: [Int: UInt64] = [:]
        for (number, field) in end.words.enumerated() {
            fields[number + 3] = UInt64(field)
        }
        return fields
    }

    private static var bootedAt: Double? {
        text(of: "/proc/stat")?.lines.lazy.compactMap { $0.after("btime ") }.first.flatMap { Double($0) }
    }

    /// Returns the beginning of a file. The limit is high because a line of `/proc/stat` is long on a machine
    /// with thousands of cores.
    private static func text(of path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var text: [UInt8] = []
        while text.count < 1_048_576 {
            let chunk = [UInt8](unsafeUninitializedCapacity: 16_384) { buffer, count in
                count = max(0, read(descriptor, buffer.baseAddress, buffer.count))
            }
            guard !chunk.isEmpty else { break }
            text += chunk
        }
        return String(decoding: text, as: UTF8.self)
    }
}
