import CrashOperations
import Foundation

/// Runs an operation in a separate process below strace, which records its system calls and injects
/// faults.
enum Tracer {
    private static let program = "/usr/bin/strace"
    private static let calls = [
        "openat", "openat2", "newfstatat", "fstat", "flock", "pread64", "pwrite64",
        "sync_file_range", "fsync", "fdatasync",
        "renameat", "unlinkat", "ftruncate", "mkdirat", "getdents64", "readlinkat", "fcntl",
        "close", "write",
    ].joined(separator: ",")

    /// Whether strace is installed and allowed to trace processes.
    static let isAllowed: Bool = {
        (try? run(["-qq", "-e", "trace=none", "/bin/true"]))?.status == 0
    }()

    static func record(
        _ operation: StoreOperation,
        in directory: String,
        fault: Fault? = nil
    ) throws -> Recording {
        let file = FileManager.default.temporaryDirectory.path + "/trace-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: file) }
        var arguments = ["-o", file, "-a1", "-xx", "-s", "1000000", "-e", "trace=\(calls)"]
        if let fault { arguments += ["-e", fault.argument] }
        let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let writer = URL(filePath: tests).deletingLastPathComponent().path + "/crash-writer"
        let outcome = try run(arguments + [writer, operation.rawValue, directory]).output
        let trace = try String(contentsOfFile: file, encoding: .utf8)
        return Recording(trace: trace, outcome: outcome)
    }

    private static func run(_ arguments: [String]) throws -> (output: String, status: Int32) {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (String(decoding: bytes, as: UTF8.self), process.terminationStatus)
    }
}
