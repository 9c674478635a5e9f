import BackendKit
import BookingStorage
import CommandLineKit
import Contract
import Domain
import Glibc
import SQLiteStorage
import SystemSupport

/// The command `backup`: copies the database while it is in use.
enum BackupCommand {
    private static let file = Argument("FILE", .file, isRequired: false, "the new file")
    private static let directory = Option(
        "directory",
        .file,
        "instead of FILE, write a file with the current time in its name into this directory"
    )
    private static let keep = Option(
        "keep",
        .integer(1...UInt16(10_000), "N"),
        "then delete all but the newest N files in the directory (default: delete none)"
    )

    static let command = Command(
        "backup",
        "copy the database, even while a server uses it",
        details: [
            "The copy is the database as it is at one moment. FILE appears when it is complete, "
                + "checked, and on the disk. Only this user can read it. The audit log gets an entry, and "
                + "the server reports the age of the last one in its metrics and at /health.",
            "With --directory, a timer can run it daily; see novablend-backup.timer.",
            "To copy a PostgreSQL database, use pg_dump.",
        ],
        arguments: [file],
        options: [directory, keep, OutputFile.force],
        optionGroups: [DatabaseOption.group],
        examples: [
            .init("novablend-backend backup backup.sqlite", "copy the default database"),
            .init("novablend-backend backup backup.sqlite --force", "replace an earlier copy"),
            .init("novablend-backend backup --directory backups --keep 14", "retain 14 copies"),
        ],
        run: run
    )

    private static func run(
        _ invocation: Invocation,
        _ terminal: Terminal
    ) throws(CommandError) -> ExitCode {
        guard case .file(let database) = try DatabaseOption.existingLocation(invocation)
        else {
            throw CommandError.usage(
                "only a database in a file can be copied; use pg_dump for PostgreSQL",
                of: invocation
            )
        }
        let (path, backups) = try destination(invocation)
        try OutputFile.check(path, invocation)
        let unrecorded = record(database)
        let count: Int
        do {
            let backup = try SQLiteBookingStore.backUp(database, to: path)
            count = backup.rowCount
            if let reason = backup.unrecorded {
                terminal.printNote("the server does not report this backup: \(reason)")
            }
        } catch {
            throw failure(error, database)
        }
        if let unrecorded {
            terminal.printNote("the audit log has no entry for this backup: \(unrecorded)")
        }
        guard let backups else { return .success }
        try terminal.print(["\(path): \(count) rows, checked"])
        if let count = invocation[keep] { try backups.delete(allBut: Int(count)) }
        return .success
    }

    /// Adds an entry to the audit log, so that the copy has it, too. Returns why that failed: a backup is
    /// needed above all when the database cannot be changed.
    private static func record(_ database: String) -> StorageFailure? {
        do {
            try SQLiteBookingStore.recordBackup(of: database, at: SystemClock().now)
            return nil
        } catch {
            return error
        }
    }

    /// The path of the copy, and the directory if one is named.
    private static func destination(
        _ invocation: Invocation
    ) throws(CommandError) -> (path: String, BackupDirectory?) {
        switch (invocation[file], invocation[directory]) {
        case (let path?, nil) where invocation[keep] == nil: return (path, nil)
        case (nil, let path?):
            let directory = BackupDirectory(path: path)
            return (try directory.newPath(at: SystemClock().now), directory)
        case (_?, nil): throw CommandError.usage("--keep requires --directory", of: invocation)
        default: throw CommandError.usage("requires either FILE or --directory", of: invocation)
        }
    }

    private static func failure(_ failure: StorageFailure, _ database: String) -> CommandError {
        var error = CommandError(failure, "the database \(database) cannot be copied")
        if error.exitCode == .inputOutput { error.exitCode = .notWritten }
        return error
    }
}

/// A directory of backups. The name of each contains the time at which it began.
struct BackupDirectory {
    private static let prefix = "backend-"
    private static let suffix = ".sqlite"
    /// A backup that has no final name after this time, in seconds, was interrupted.
    private static let maximumDuration = 86_400

    let path: String

    /// The path of a new backup. Creates the directory, with access for this user only.
    func newPath(at now: Timestamp) throws(CommandError) -> String {
        guard mkdir(path.systemBytes, 0o700) == 0 || errno == EEXIST else {
            let reason = SystemError(code: errno)
            throw CommandError(.notWritten, "cannot create the directory \(path): \(reason)")
        }
        let time = ISO8601.formatUTC(now).filter { !"-:".contains($0) }
        return "\(path)/\(Self.prefix)\(time)\(Self.suffix)"
    }

    /// Deletes all but the newest backups, and what interrupted ones have left.
    func delete(allBut count: Int) throws(CommandError) {
        let names = try names()
        let backups = names.filter(Self.isBackup).sorted()
        let interrupted = names.filter { name in
            guard let end = name.ranges(of: Self.suffix + ".").first?.lowerBound else {
                return false
            }
            return Self.isBackup(name[..<end] + Self.suffix) && isOld(name)
        }
        for name in backups.dropLast(count) + interrupted {
            guard unlink("\(path)/\(name)".systemBytes) == 0 || errno == ENOENT else {
                let reason = SystemError(code: errno)
                throw CommandError(.notWritten, "cannot delete \(path)/\(name): \(reason)")
            }
        }
    }

    /// Whether a name is like that of a backup: `backend-20261128T030000Z.sqlite`.
    private static func isBackup(_ name: some StringProtocol) -> Bool {
        guard name.hasPrefix(prefix), name.hasSuffix(suffix) else { return false }
        let time = name.dropFirst(prefix.count).dropLast(suffix.count)
        return time.count == 16
            && time.dropLast().allSatisfy { $0.isASCII && ($0.isNumber || $0 == "T") }
            && time.hasSuffix("Z")
    }

    private func isOld(_ name: String) -> Bool {
        var status = stat()
        guard stat("\(path)/\(name)".systemBytes, &status) == 0 else { return false }
        return time(nil) - status.st_mtim.tv_sec > Self.maximumDuration
    }

    private func names() throws(CommandError) -> [String] {
        guard let entries = opendir(path) else {
            throw CommandError(.notWritten, "cannot read \(path): \(SystemError(code: errno))")
        }
        defer { closedir(entries) }
        var names: [String] = []
        while let entry = readdir(entries) {
            let capacity = MemoryLayout.size(ofValue: entry.pointee.d_name)
            names.append(
                withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                    pointer.withMemoryRebound(to: CChar.self, capacity: capacity) {
                        String(cString: $0)
                    }
                }
            )
        }
        return names
    }
}
