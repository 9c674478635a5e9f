import Glibc
import SystemSupport

/// A file that a caller named. It is written completely or not at all, and no part of its path may be
/// a symbolic link.
struct FileTarget: Sendable {
    /// Why the file was not written.
    enum Failure: Error {
        /// The caller should name a different path.
        case refused(String)
        /// A system call failed.
        case failed(String)
    }

    private let folders: [String]
    private let name: String
    let path: String
    let mayOverwrite: Bool

    /// Makes a target of an absolute path.
    init(_ path: String, mayOverwrite: Bool) throws(Failure) {
        let parts = path.split(separator: "/").map(String.init)
        guard path.hasPrefix("/"), !path.hasSuffix("/"), let name = parts.last, name != ".",
            !parts.contains(".."), !path.utf8.contains(0)
        else { throw .refused("must be the absolute path of a file, without \"..\"") }
        self.path = path
        self.name = name
        self.mayOverwrite = mayOverwrite
        folders = parts.dropLast()
    }

    /// Returns whether `write` would replace a file. Throws if `write` would reject the path.
    @discardableResult
    func check() throws(Failure) -> Bool {
        let folder = try openFolder()
        defer { close(folder) }
        return try existingFile(in: folder) != nil
    }

    /// Writes the file and its directory entry durably.
    ///
    /// A new file is readable by this user only, since it may hold appointments. A file that is
    /// replaced keeps its mode, owner, and group.
    func write(_ bytes: [UInt8]) throws(Failure) {
        let folder = try openFolder()
        defer { close(folder) }
        let existing = try existingFile(in: folder)
        // O_EXCL keeps a new file from replacing one that appears meanwhile. A replaced file stays
        // until the new one is complete.
        let unique = String(UInt64.random(in: 0...UInt64.max), radix: 36)
        let first = mayOverwrite ? ".\(name.prefix(40)).\(unique).tmp" : name
        try make(first, bytes, like: existing, in: folder)
        if mayOverwrite, renameat(folder, first, folder, name) != 0 {
            let reason = errno
            unlinkat(folder, first, 0)
            throw failure(reason)
        }
        guard fsync(folder) == 0 else { throw failure(errno) }
    }

    private func make(
        _ name: String,
        _ bytes: [UInt8],
        like existing: stat?,
        in folder: Int32
    ) throws(Failure) {
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let file = openat(folder, name, flags, 0o600)
        guard file >= 0 else { throw errno == EEXIST ? exists : failure(errno) }
        defer { close(file) }
        do throws(Failure) {
            try writeAll(bytes, to: file)
            if let existing { Self.copyAccess(of: existing, to: file) }
            guard fsync(file) == 0 else { throw failure(errno) }
        } catch {
            unlinkat(folder, name, 0)
            throw error
        }
    }

    /// Copies as much as the system permits; otherwise only this user can read the file. If the group
    /// cannot be copied, its permissions are removed, since a different group would get them.
    private static func copyAccess(of existing: stat, to file: Int32) {
        var mode = existing.st_mode & 0o777
        let isGroupKept =
            fchown(file, existing.st_uid, existing.st_gid) == 0
            || fchown(file, uid_t.max, existing.st_gid) == 0
        if !isGroupKept { mode &= ~0o070 }
        fchmod(file, mode)
    }

    private func writeAll(_ bytes: [UInt8], to file: Int32) throws(Failure) {
        do throws(SystemError) {
            try DescriptorOutput.writeAll(bytes.span.bytes, to: file)
        } catch {
            throw failure(error.code)
        }
    }

    private func openFolder() throws(Failure) -> Int32 {
        let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
        var folder = open("/", flags)
        for part in folders where folder >= 0 {
            let next = openat(folder, part, flags)
            let reason = errno
            close(folder)
            errno = reason
            folder = next
        }
        guard folder < 0 else { return folder }
        guard errno == ENOTDIR || errno == ELOOP || errno == ENOENT else { throw failure(errno) }
        throw .refused(
            errno == ENOENT
                ? "is in a directory that does not exist"
                : "leads through a symbolic link, or through what is no directory"
        )
    }

    /// The file that `write` would replace; nil if no file is there.
    private func existingFile(in folder: Int32) throws(Failure) -> stat? {
        var status = stat()
        guard fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
            if errno == ENOENT { return nil }
            throw failure(errno)
        }
        guard mayOverwrite else { throw exists }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .refused("is no regular file") }
        return status
    }

    private var exists: Failure {
        .refused("exists already; name another, or set \"overwrite\" to true")
    }

    private func failure(_ code: Int32) -> Failure {
        .failed("\(path): \(String(cString: strerror(code)))")
    }
}
