import CrashWork
import Testing

/// What a replace costs, where the directory is there and lies behind no link.
@Suite(
    "A replace",
    .enabled(if: Tracer.isAllowed, "strace is missing or may not trace here")
)
struct CallTests {
    private static let before = [
        // The directory, and its entry made durable, once in each process. Then the lock.
        "openat2", "newfstatat", "openat", "fsync", "close",
        "openat", "newfstatat", "flock",
        // What a dead writer left.
        "unlinkat",
        // The new file.
        "openat",
    ]
    private static let look = ["openat", "newfstatat", "pread64", "close"]
    private static let after = [
        "fsync", "close", "renameat", "fsync",
        // The lock, then the directory.
        "close", "close",
    ]

    private func calls(of work: Work) throws -> [String] {
        let scenario = try #require(
            Scenario.all.first { $0.work == work && $0.before == "old" }
        )
        return try Rehearsal(scenario).recording.calls.map(\.name)
    }

    @Test("makes the system calls that it needs, and no other")
    func small() throws {
        #expect(
            try calls(of: .replace) == Self.before + ["pwrite64"] + Self.look + Self.after
        )
    }

    @Test("by a large value has the disk begin with each piece, and looks at the old one meanwhile")
    func large() throws {
        let pieces = ["pwrite64", "sync_file_range", "pwrite64", "sync_file_range"]
        #expect(
            try calls(of: .replaceLarge)
                == Self.before + pieces + ["pwrite64"] + Self.look + Self.after
        )
    }
}
