import Glibc
import JSONRPC
import SystemSupport

/// A file that a caller named. It is written completely or not at all. No part of its path may be a
/// symbolic link.
struct FileTarget: Sendable {
    private let directories: [String]
    private let name: String
    private let ownFiles: ProtectedFiles
    let path: String
    let mayOverwrite: Bool

    /// Makes a target of an absolute path.
    ///
    /// - Parameter ownFiles: The files that the program needs, which are never replaced.
    init(_ path: String, mayOverwrite: Bool, protecting ownFiles: ProtectedFiles) throws(RPCError) {
        let parts = path.split(separator: "/").map(String.init)
        guard path.hasPrefix("/"), !path.hasSuffix("/"), let name = parts.last, name != ".",
            !parts.contains(".."), !path.utf8.contains(0)
        else { throw .rejected("must be the absolute path of a file, without \"..\"") }
        self.path = path
        self.name = name
        self.mayOverwrite = mayOverwrite
        self.ownFiles = ownFiles
        directories = parts.dropLast()
    }

    /// Returns whether `write` would replace a file. Throws if `write` would reject the path.
    @discardableResult
    func check() throws(RPCError) -> Bool {
        let directory = try openDirectory()
        defer { close(directory) }
        return try existingFile(in: directory) != nil
    }

    /// Writes the file and its directory entry durably.
    ///
    /// Only this user can read a new file, since it may contain appointments. A replaced file keeps its
    /// mode, owner, and group as far as the system permits.
    func write(_ bytes: [UInt8]) throws(RPCError) {
        let directory = try openDirectory()
        defer { close(directory) }
        let existing = try existingFile(in: directory)
        // Write to a temporary file first, so that the name refers to no file, or to the existing
        // one, until the new one is complete.
        let unique = String(UInt64.random(in: 0...UInt64.max), radix: 36)
        let temporary = ".\(name.prefix(40)).\(unique).tmp"
        try create(temporary, bytes, like: existing, in: directory)
        do {
            try place(temporary, in: directory)
        } catch {
            unlinkat(directory, temporary.systemBytes, 0)
            throw error
        }
        guard fsync(directory) == 0 else { throw failure(errno) }
    }

    /// Renames the temporary file. Without `mayOverwrite`, it does not replace a file that appeared
    /// since the check.
    private func place(_ temporary: String, in directory: Int32) throws(RPCError) {
        let (source, target) = (temporary.systemBytes, name.systemBytes)
        if !mayOverwrite {
            if linkat(directory, source, directory, target, 0) == 0 {
                unlinkat(directory, source, 0)
                return
            }
            guard errno == EPERM || errno == EOPNOTSUPP else { throw creationFailure(errno) }
            // The file system has no hard links, so reserve the name with an empty file.
            close(try createFile(name, in: directory))
        }
        guard renameat(directory, source, directory, target) == 0 else { throw failure(errno) }
    }

    private func create(
        _ name: String,
        _ bytes: [UInt8],
        like existing: stat?,
        in directory: Int32
    ) throws(RPCError) {
        let file = try createFile(name, in: directory)
        defer { close(file) }
        do throws(RPCError) {
            try writeAll(bytes, to: file)
            if let existing { Self.copyAccess(of: existing, to: file) }
            guard fsync(file) == 0 else { throw failure(errno) }
        } catch {
            unlinkat(directory, name.systemBytes, 0)
            throw error
        }
    }

    private func createFile(_ name: String, in directory: Int32) throws(RPCError) -> Int32 {
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let file = openat(directory, name.systemBytes, flags, 0o600)
        guard file >= 0 else { throw creationFailure(errno) }
        return file
    }

    /// Copies mode, owner, and group as far as the system permits. If the group cannot be copied, its
    /// permissions are removed, since a different group would get them. If the mode cannot be copied,
    /// only this user can read the file.
    private static func copyAccess(of existing: stat, to file: Int32) {
        var mode = existing.st_mode & 0o777
        let isGroupCopied =
            fchown(file, existing.st_uid, existing.st_gid) == 0
            || fchown(file, uid_t.max, existing.st_gid) == 0
        if !isGroupCopied { mode &= ~0o070 }
        fchmod(file, mode)
    }

    private func writeAll(_ bytes: [UInt8], to file: Int32) throws(RPCError) {
        do {
            try DescriptorOutput.writeAll(bytes.span.bytes, to: file)
        } catch {
            throw failure(error.code)
        }
    }

    private func openDirectory() throws(RPCError) -> Int32 {
        let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
        var directory = open("/", flags)
        for part in directories where directory >= 0 {
            let next = openat(directory, part.systemBytes, flags)
            let reason = errno
            close(directory)
            errno = reason
            directory = next
        }
        guard directory < 0 else { return directory }
        guard errno == ENOTDIR || errno == ELOOP || errno == ENOENT else { throw failure(errno) }
        throw .rejected(
            errno == ENOENT
                ? "is in a directory that does not exist"
                : "has a symbolic link or a non-directory in its path"
        )
    }

    /// The status of the file that `write` would replace; nil if no file exists.
    private func existingFile(in directory: Int32) throws(RPCError) -> stat? {
        var status = stat()
        guard ownFiles.conflict(with: path) == nil else {
            throw .rejected("is a file that novablend needs; choose a different path")
        }
        guard fstatat(directory, name.systemBytes, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
            if errno == ENOENT { return nil }
            throw failure(errno)
        }
        guard mayOverwrite else { throw existsFailure }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .rejected("is not a regular file") }
        return status
    }

    private var existsFailure: RPCError {
        .rejected("already exists; choose a different path, or use \"overwrite\" to replace it")
    }

    private func creationFailure(_ code: Int32) -> RPCError {
        code == EEXIST ? existsFailure : failure(code)
    }

    private func failure(_ code: Int32) -> RPCError {
        ProgramError.fileNotWritten.error(
            "The file could not be written: \(path): \(String(cString: strerror(code)))"
        )
    }
}

extension RPCError {
    /// The caller should name a different file.
    fileprivate static func rejected(_ reason: String) -> RPCError {
        .invalidParams("\"file\" \(reason)", parameter: "file")
    }
}
