import Glibc

/// The metrics of this process that all Prometheus clients have under these names.
///
/// <https://prometheus.io/docs/instrumenting/writing_clientlibs/#process-metrics>
public enum ProcessMetrics {
    /// Adds the metrics. A metric whose value the system does not report is left out.
    public static func write(to text: inout MetricsText) {
        writeTimes(to: &text)
        if let count = openDescriptors() {
            text.metric("process_open_fds", .gauge, "Number of open file descriptors.", count)
        }
        var limit = rlimit()
        if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 {
            let help = "Maximum number of open file descriptors."
            text.metric("process_max_fds", .gauge, help, Int(clamping: limit.rlim_cur))
        }
    }

    private static func writeTimes(to text: inout MetricsText) {
        // The name of the program, in parentheses, may contain spaces (proc(5), /proc/pid/stat).
        guard
            let fields = contents(of: "/proc/self/stat")?.split(separator: ")").last?
                .split(separator: " ").map({ Double($0) }), fields.count > 21,
            let user = fields[11], let system = fields[12], let start = fields[19],
            let size = fields[20], let pages = fields[21]
        else { return }
        let ticks = Double(sysconf(Int32(_SC_CLK_TCK)))
        text.begin("process_cpu_seconds_total", .counter, "CPU time in seconds.")
        text.sample("process_cpu_seconds_total", (user + system) / ticks)
        if let bootTime {
            text.begin("process_start_time_seconds", .gauge, "Start time since the Unix epoch.")
            text.sample("process_start_time_seconds", bootTime + start / ticks)
        }
        let pageSize = Double(sysconf(Int32(_SC_PAGESIZE)))
        for (name, help, value) in [
            ("process_virtual_memory_bytes", "Virtual memory size in bytes.", size),
            ("process_resident_memory_bytes", "Resident memory size in bytes.", pages * pageSize),
        ] {
            text.begin(name, .gauge, help)
            text.sample(name, value)
        }
    }

    /// When the machine started, in seconds since the Unix epoch.
    private static var bootTime: Double? {
        let line = contents(of: "/proc/stat")?.split(separator: "\n").first {
            $0.hasPrefix("btime ")
        }
        return line.flatMap { Double($0.dropFirst(6)) }
    }

    private static func openDescriptors() -> Int? {
        guard let directory = opendir("/proc/self/fd") else { return nil }
        defer { closedir(directory) }
        var count = 0
        while readdir(directory) != nil { count += 1 }
        // Without `.`, `..`, and the descriptor of the directory itself.
        return count - 3
    }

    private static func contents(of path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 14)
        while case let count = read(descriptor, &chunk, chunk.count), count > 0 {
            bytes += chunk[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
