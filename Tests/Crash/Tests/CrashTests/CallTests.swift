import CrashOperations
import Testing

/// The system calls of a replacement in an existing directory whose path has no symbolic link.
@Suite(
    "A replacement",
    .enabled(if: Tracer.isAllowed, "strace is missing or may not trace here")
)
struct CallTests {
    private static let before = [
        // Open the directory, and make its entry durable, once in each process.
        "openat2", "newfstatat", "openat", "fsync", "close",
        // Take the lock, and see whether an earlier writer left a quarantine incomplete.
        "openat", "flock", "newfstatat",
        // Delete the temporary file of a dead writer.
        "unlinkat",
        // Create the new file.
        "openat",
    ]
    private static let inspection = ["openat", "newfstatat", "pread64", "close"]
    private static let after = [
        "fsync", "close", "renameat", "fsync",
        // Close the lock and the directory.
        "close", "close",
    ]

    private func calls(
        of operation: StoreOperation,
        before: String = "old"
    ) throws -> [String] {
        let scenario = try #require(
            Scenario.all.first { $0.operation == operation && $0.before == before }
        )
        return try RecordedRun(scenario).recording.calls.map(\.name)
    }

    @Test("makes only the necessary system calls")
    func small() throws {
        #expect(
            try calls(of: .replace) == Self.before + ["pwrite64"] + Self.inspection + Self.after
        )
    }

    @Test("of a missing file takes no longer in a directory with many files: it does not list them")
    func missing() throws {
        #expect(try !calls(of: .replace, before: "nothing").contains("getdents64"))
    }

    @Test("with a large value starts the disk write of each chunk before it inspects the old file")
    func large() throws {
        let chunks = ["pwrite64", "sync_file_range", "pwrite64", "sync_file_range"]
        #expect(
            try calls(of: .replaceLarge)
                == Self.before + chunks + ["pwrite64"] + Self.inspection + Self.after
        )
    }
}
