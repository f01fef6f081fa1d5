import Glibc
import PayrelayPrimitives

/// Resource usage of the process, under the metric names of Prometheus' client libraries. A value that `/proc` does
/// not give is absent.
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
        // `.`, `..` and the directory's own descriptor are among them.
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

/// `/proc/self/stat` (proc(5)), of which two fields matter.
struct ProcessStatus {
    private(set) var residentBytes: Double?
    /// Seconds since 1970.
    private(set) var startedAt: Double?

    init() {
        guard let text = Self.text(of: "/proc/self/stat") else { return }
        let fields = Self.fields(of: text)
        // 24 is the resident set, in pages; 22 the start, in clock ticks since the machine booted.
        residentBytes = fields[24].map { Double($0) * Double(sysconf(Int32(_SC_PAGESIZE))) }
        guard let ticks = fields[22], let bootedAt = Self.bootedAt else { return }
        startedAt = bootedAt + Double(ticks) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// The numbers by their number in proc(5). The second field is the program's name in parentheses, which may hold anything.
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

    /// At most what such a file has: the line of a machine with thousands of cores is longer than what is looked for.
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
