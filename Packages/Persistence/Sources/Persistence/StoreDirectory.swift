import Glibc
import Synchronization

/// A directory of our own in which files are replaced durably.
///
/// Readers take no lock. A writer holds `flock` on the file `.lock`, which is never deleted: a lock
/// on a deleted file would exclude nobody. All names are resolved below the directory's
/// descriptor, and no link is followed.
struct StoreDirectory: Sendable {
    let path: String
    private static let counter = Atomic<UInt64>(0)

    /// Runs `body` with the directory open; nil when it does not exist.
    func reading<R>(
        _ body: (borrowing Descriptor) throws(StoreError.Reason) -> R
    ) throws(StoreError.Reason) -> R? {
        let directory: Descriptor
        do throws(StoreError.Reason) {
            directory = try openChecked()
        } catch .system(_, ENOENT) {
            return nil
        } catch {
            throw error
        }
        return try body(directory)
    }

    /// Runs `body` with the directory open, made if need be, and this writer alone in it.
    func writing<R>(
        _ body: (borrowing Descriptor) throws(StoreError.Reason) -> R
    ) throws(StoreError.Reason) -> R {
        try create()
        let directory = try openChecked()
        let lock = try Descriptor(openAt: directory, ".lock", O_RDWR | O_CREAT, mode: 0o600)
        try lock.lockExclusively()
        return try body(directory)
    }

    /// The bytes of `name`, or the first `prefix` of them; nil when there is no such file.
    func read(
        _ name: String,
        in directory: borrowing Descriptor,
        maximum: Int,
        prefix: Int = .max
    ) throws(StoreError.Reason) -> [UInt8]? {
        let file: Descriptor
        do throws(StoreError.Reason) {
            // Not blocking, so that a named pipe in the file's place does not hang us.
            file = try Descriptor(openAt: directory, name, O_RDONLY | O_NONBLOCK)
        } catch .system(_, ENOENT) {
            return nil
        } catch .system(_, ELOOP) {
            throw .insecure("it is a symbolic link")
        } catch {
            throw error
        }
        let status = try file.status()
        guard status.st_mode & S_IFMT == S_IFREG else { throw .insecure("it is no regular file") }
        guard status.st_size <= maximum else { throw .damaged("larger than any that is written") }
        return try file.readAll(size: min(Int(status.st_size), prefix))
    }

    /// Puts `parts`, one after the other, in the place of `name`, durably and at once.
    func replace(
        _ name: String,
        with parts: [[UInt8]],
        in directory: borrowing Descriptor
    ) throws(StoreError.Reason) {
        let number = Self.counter.wrappingAdd(1, ordering: .relaxed).newValue
        let temporary = ".\(name).\(getpid()).\(number).tmp"
        do throws(StoreError.Reason) {
            try write(parts, to: temporary, in: directory)
            let base = directory.raw
            _ = try Descriptor.call("rename") { renameat(base, temporary, base, name) }
        } catch {
            unlinkat(directory.raw, temporary, 0)
            throw error
        }
        try directory.synchronize()
    }

    private func write(
        _ parts: [[UInt8]],
        to temporary: String,
        in directory: borrowing Descriptor
    ) throws(StoreError.Reason) {
        let flags = O_WRONLY | O_CREAT | O_EXCL
        let file = try Descriptor(openAt: directory, temporary, flags, mode: 0o600)
        var offset = 0
        for part in parts {
            try file.writeAll(part, at: offset)
            offset += part.count
        }
        try file.synchronize()
    }

    /// Deletes `name`, durably; a file that is not there is no error.
    func remove(_ name: String, in directory: borrowing Descriptor) throws(StoreError.Reason) {
        let base = directory.raw
        do throws(StoreError.Reason) {
            _ = try Descriptor.call("unlink") { unlinkat(base, name, 0) }
        } catch .system(_, ENOENT) {
            return
        } catch {
            throw error
        }
        try directory.synchronize()
    }
}

extension StoreDirectory {
    /// The names of all entries but `.` and `..`.
    func entries(in directory: borrowing Descriptor) throws(StoreError.Reason) -> [String] {
        let copy = dup(directory.raw)
        guard copy >= 0, let stream = fdopendir(copy) else {
            throw .system(call: "fdopendir", errno: errno)
        }
        defer { closedir(stream) }
        rewinddir(stream)
        var names: [String] = []
        while let entry = Glibc.readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// Deletes what writers that died left behind. Call it as the one writer: then no temporary
    /// file belongs to anybody who lives.
    func sweep(_ directory: borrowing Descriptor) throws(StoreError.Reason) {
        for name in try entries(in: directory) where name.hasPrefix(".") && name.hasSuffix(".tmp") {
            unlinkat(directory.raw, name, 0)
        }
    }

    private func openChecked() throws(StoreError.Reason) -> Descriptor {
        let directory: Descriptor
        do throws(StoreError.Reason) {
            directory = try Descriptor(open: path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
        } catch .system(_, ELOOP) {
            throw .insecure("it is a symbolic link")
        } catch .system(_, ENOTDIR) where isSymbolicLink {
            throw .insecure("it is a symbolic link")
        } catch {
            throw error
        }
        let status = try directory.status()
        guard status.st_uid == geteuid() else { throw .insecure("it belongs to another user") }
        guard status.st_mode & 0o022 == 0 else { throw .insecure("others can write to it") }
        return directory
    }

    private var isSymbolicLink: Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }

    /// Makes the directory and what is missing above it, for this user alone.
    private func create() throws(StoreError.Reason) {
        guard path.hasPrefix("/") else { throw .insecure("its path is not absolute") }
        if access(path, F_OK) == 0 { return }
        var ancestor = ""
        for component in path.split(separator: "/") {
            ancestor += "/" + component
            guard mkdir(ancestor, 0o700) != 0 else { continue }
            guard errno == EEXIST || access(ancestor, F_OK) == 0 else {
                throw .system(call: "mkdir", errno: errno)
            }
        }
    }
}
