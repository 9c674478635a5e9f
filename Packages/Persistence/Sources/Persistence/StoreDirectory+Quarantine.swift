import Glibc

extension StoreDirectory {
    /// The part of a quarantined file's name between the original file name and a number.
    static let quarantineSuffix = ".damaged-"
    /// The largest number of damaged files to retain for each name.
    private static let maximumQuarantined = 3

    /// The names of all entries except `.` and `..`.
    func entries(in directory: borrowing Descriptor) throws(StoreError.Reason) -> [String] {
        let base = directory.raw
        // The position in a listing belongs to the open file description, so the listing needs its
        // own description.
        let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
        let copy = try Descriptor.call("openat") { openat(base, ".", flags) }
        guard let stream = fdopendir(copy) else {
            let failure = errno
            close(copy)
            throw .system(call: "fdopendir", errno: failure)
        }
        defer { closedir(stream) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = Glibc.readdir(stream) else { break }
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        guard errno == 0 else { throw .system(call: "readdir", errno: errno) }
        return names
    }

    /// Durably renames the damaged file `name` to `name.damaged-N` with the next number, and
    /// deletes all but the newest of those files.
    func quarantine(_ name: String, in directory: borrowing Descriptor) throws(StoreError.Reason) {
        let prefix = Self.prefix(of: name)
        let numbers = try quarantined(entries(in: directory), prefix)
        let lock = try openLockFile(in: directory)
        try lock.truncate(to: 1)
        try rename(name, to: prefix + "\((numbers.last ?? 0) &+ 1)", in: directory)
        // Synchronize before the deletions. Otherwise a crash could undo the renaming but not the
        // deletions.
        try directory.synchronize()
        try? lock.truncate(to: 0)
        for number in numbers.dropLast(Self.maximumQuarantined - 1) {
            try? unlink(prefix + "\(number)", in: directory)
        }
    }

    /// Makes a renaming durable if the writer that renamed the file died, or failed, before it had
    /// emptied the lock file. If a crash undid this renaming, but not that of a new file to the
    /// same name, the damaged file would be lost.
    func finishQuarantine(
        _ lock: borrowing Descriptor,
        in directory: borrowing Descriptor
    ) throws(StoreError.Reason) {
        guard try lockFileSize(lock) > 0 else { return }
        try directory.synchronize()
        try? lock.truncate(to: 0)
    }

    private static func prefix(of name: String) -> String { name + quarantineSuffix }

    /// The numbers of the quarantined files, in order.
    private func quarantined(_ entries: [String], _ prefix: String) -> [UInt32] {
        entries.filter { $0.hasPrefix(prefix) }
            .compactMap { UInt32($0.dropFirst(prefix.count)) }
            .sorted()
    }
}
