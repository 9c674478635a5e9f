import Foundation
import Testing

/// A limit on what a backend can write. `makeSpace` lifts it.
enum SmallDisk: CaseIterable, Sendable {
    /// A file system of two megabytes, of which a file takes half.
    case smallFileSystem
    /// A limit on the size of each file (RLIMIT_FSIZE).
    case fileSizeLimit

    /// The limits that this system allows.
    static let allowed = allCases.filter { $0 == .fileSizeLimit || mayMount }

    private static let mayMount: Bool = {
        let mount = "mount -t tmpfs -o size=1m tmpfs /mnt"
        let child = try? ChildProcess("/usr/bin/unshare", ["--mount", "/bin/sh", "-c", mount])
        return child?.waitForExit() == 0
    }()

    /// A program with its arguments that starts a backend whose database is in `directory`.
    func wrapper(_ directory: String) -> [String] {
        switch self {
        // The file system is visible only to the backend, and ends with it.
        case .smallFileSystem:
            let script = """
                mount -t tmpfs -o size=2m tmpfs "$0" && head -c 1000000 /dev/zero >"$0/ballast" \
                && exec "$@"
                """
            return ["/usr/bin/unshare", "--mount", "/bin/sh", "-c", script, directory]
        // Without the trap, the system would end a program that exceeds the limit.
        case .fileSizeLimit:
            let script = "trap '' XFSZ; exec prlimit --fsize=600000: \"$@\""
            return ["/bin/sh", "-c", script, "sh"]
        }
    }

    func makeSpace(for backend: ChildProcess, _ directory: String) async throws {
        switch self {
        case .smallFileSystem:
            let ballast = "/proc/\(backend.processID)/root\(directory)/ballast"
            try FileManager.default.removeItem(atPath: ballast)
        case .fileSizeLimit:
            let options = ["--pid", "\(backend.processID)", "--fsize=unlimited:"]
            let child = try ChildProcess("/usr/bin/prlimit", options)
            try #require(await child.exitCode() == 0, "\(child.standardError())")
        }
    }
}
