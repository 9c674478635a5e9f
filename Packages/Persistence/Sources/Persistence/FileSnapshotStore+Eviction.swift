import Glibc
import Synchronization

extension FileSnapshotStore {
    /// What a cache may contain. The default has no limits.
    public struct Limits: Sendable, Hashable {
        /// The maximum size of all files, in bytes. A file is slightly larger than its snapshot,
        /// and takes up a multiple of the file system's block size on the disk.
        public var bytes: Int
        /// The maximum number of snapshots. A quarantined file counts, too.
        public var count: Int
        /// The age, counted from ``Snapshot/savedAt``, from which a snapshot counts as missing; nil
        /// for no limit. A snapshot from the future also counts as missing. A later write deletes
        /// the file once the file itself is older than this.
        public var age: Duration?

        /// Creates limits.
        ///
        /// - Parameters:
        ///   - bytes: The maximum size of all files, in bytes.
        ///   - count: The maximum number of snapshots.
        ///   - age: The age from which a snapshot counts as missing; nil for no limit.
        public init(bytes: Int = .max, count: Int = .max, age: Duration? = nil) {
            (self.bytes, self.count, self.age) = (bytes, count, age)
        }
    }

    /// What this object has written since it last looked at all files.
    struct Written {
        var bytes = 0
        var count = 0
    }

    /// Whether a snapshot has not reached the maximum age.
    func isFresh(_ savedAt: Timestamp?) -> Bool {
        guard let maximum = limits?.age, let savedAt else { return true }
        let age = now().age(since: savedAt)
        return age >= .zero && age < maximum
    }

    /// Deletes files if a limit may be exceeded because of what this object has written since it last
    /// looked at all files. The snapshot in `file` is already durable, so a failure is not reported; the next
    /// write tries again.
    func evictIfNecessary(
        afterWriting size: Int,
        to file: StoreFile,
        in open: borrowing Descriptor
    ) {
        guard let limits else { return }
        let slack = (bytes: limits.bytes / 16, count: limits.count / 16)
        let isNecessary = written.withLock { written in
            if var total = written {
                total.bytes += size
                total.count += 1
                written = total
                if total.bytes <= slack.bytes, total.count <= slack.count { return false }
            }
            written = Written()
            return true
        }
        guard isNecessary else { return }
        let maximum = (bytes: limits.bytes - slack.bytes, count: limits.count - slack.count)
        do {
            let bytes = try evict(
                exceeding: maximum,
                olderThan: limits.age,
                except: file.description,
                in: open
            )
            // The remaining files exceed the maximum if the new snapshot alone exceeds it.
            written.withLock { $0?.bytes += max(0, bytes - maximum.bytes) }
        } catch {
            written.withLock { $0 = nil }
        }
    }

    /// Deletes the files that are older than `age`, and then the least recently used ones until the
    /// others are within the limits. The file `new` is not deleted. A quarantined file
    /// counts, too. Returns the size of the remaining files.
    ///
    /// The deletions are not durable, so after a crash of the machine a file may be back. The caller
    /// holds the lock, so no other writer can replace a file in between.
    private func evict(
        exceeding maximum: (bytes: Int, count: Int),
        olderThan age: Duration?,
        except new: String,
        in open: borrowing Descriptor
    ) throws(StoreError.Reason) -> Int {
        var candidates: [Candidate] = []
        var (bytes, count) = (0, 0)
        let quarantined = Self.suffix + StoreDirectory.quarantineSuffix
        for entry in try directory.entries(in: open)
        where Self.isSnapshot(entry) || entry.contains(quarantined) {
            let candidate = Candidate(file: entry, try open.status(of: entry))
            bytes += candidate.bytes
            count += 1
            if entry != new { candidates.append(candidate) }
        }
        let now = now()
        func isExpired(_ candidate: Candidate) -> Bool {
            age.map { now.age(since: candidate.writtenAt) > $0 } ?? false
        }
        candidates.sort { $0.lastUse < $1.lastUse }
        let expiredFirst = candidates.filter(isExpired) + candidates.filter { !isExpired($0) }
        for candidate in expiredFirst {
            guard
                isExpired(candidate) || bytes > maximum.bytes || count > maximum.count
            else { break }
            try directory.unlink(candidate.file, in: open)
            bytes -= candidate.bytes
            count -= 1
        }
        return bytes
    }

    /// The number of snapshots and the size of their files in bytes, without quarantined files.
    /// Expired snapshots count until they are deleted.
    public func usage() throws(StoreError) -> (count: Int, bytes: Int) {
        try directory.reading(nil, for: .list) { open throws(StoreError.Reason) in
            var (count, bytes) = (0, 0)
            for file in try directory.entries(in: open) where Self.isSnapshot(file) {
                bytes += Int(try open.status(of: file).st_size)
                count += 1
            }
            return (count, bytes)
        } ?? (0, 0)
    }

    /// A file that may be deleted.
    private struct Candidate {
        let file: String
        let bytes: Int
        let writtenAt: Timestamp
        /// The time of the last use, in seconds and nanoseconds.
        let lastUse: (Int, Int)

        init(file: String, _ status: stat) {
            self.file = file
            bytes = Int(status.st_size)
            writtenAt = Timestamp(secondsSince1970: Int64(status.st_mtim.tv_sec))
            let written = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
            let used = (status.st_atim.tv_sec, status.st_atim.tv_nsec)
            lastUse = used > written ? used : written
        }
    }
}

extension FileSnapshotStore {
    /// See ``SnapshotStore/names()``. An expired snapshot is listed until it is deleted.
    public func names() throws(StoreError) -> [String] {
        try directory.reading(nil, for: .list) { open throws(StoreError.Reason) in
            var names: [String] = []
            for file in try directory.entries(in: open) {
                if let name = try name(of: file, in: open) { names.append(name) }
            }
            return names.sorted(by: precedes)
        } ?? []
    }

    /// See ``SnapshotStore/removeAll()``.
    public func removeAll() throws(StoreError) {
        try directory.writingExisting(nil, for: .remove) { open throws(StoreError.Reason) in
            for file in try directory.entries(in: open) where Self.isSnapshot(file) {
                _ = try delete(file, storing: nil, in: open)
            }
            try open.synchronize()
        }
    }

    /// Deletes quarantined files. This is durable, and so is the removal of what a writer that died has
    /// left.
    ///
    /// - Parameters:
    ///   - name: The name of the damaged snapshots; nil for those of all names.
    ///   - age: Only files that were last written longer ago than this are deleted; nil for all.
    /// - Returns: The number of deleted files.
    /// - Throws: `insecure` or `system`. Some files may have been deleted then.
    @discardableResult
    public func removeQuarantined(
        _ name: String? = nil,
        olderThan age: Duration? = nil
    ) throws(StoreError) -> Int {
        let now = now()
        return try directory.writingExisting(nil, for: .remove) {
            open throws(StoreError.Reason) in
            var count = 0
            for file in try quarantined(name, in: open) {
                let written = Int64(try open.status(of: file).st_mtim.tv_sec)
                let isOld = age.map { now.age(since: Timestamp(secondsSince1970: written)) > $0 }
                if isOld == false { continue }
                try directory.unlink(file, in: open)
                count += 1
            }
            try open.synchronize()
            return count
        } ?? 0
    }

    /// The number of quarantined files of `name`; nil for those of all names.
    ///
    /// - Throws: `insecure` or `system`.
    public func quarantinedCount(_ name: String? = nil) throws(StoreError) -> Int {
        try directory.reading(nil, for: .list) { open throws(StoreError.Reason) in
            try quarantined(name, in: open).count
        } ?? 0
    }

    private func quarantined(
        _ name: String?,
        in open: borrowing Descriptor
    ) throws(StoreError.Reason) -> [String] {
        let start = name.map { Self.file($0).description } ?? ""
        let mark = start + StoreDirectory.quarantineSuffix
        return try directory.entries(in: open).filter { file in
            name == nil ? file.contains(Self.suffix + mark) : file.hasPrefix(mark)
        }
    }

    /// The name of the snapshot in the file `fileName`; nil if the file belongs to no snapshot or
    /// no longer exists.
    func name(
        of fileName: String,
        in open: borrowing Descriptor
    ) throws(StoreError.Reason) -> String? {
        if let name = StoreFile.name(of: fileName, suffix: Self.suffix) { return name }
        guard StoreFile.hasStoredName(fileName, suffix: Self.suffix) else { return nil }
        do {
            let stored = try readProperties(fileName, in: open)?.name ?? []
            // The file is not checked for damage, but the hash in the file name proves the name.
            let name = String(validating: stored, as: UTF8.self)
            return name.flatMap { Self.file($0).description == fileName ? $0 : nil }
        } catch .damaged, .newerFormat, .insecure {
            return nil
        }
    }

    /// Whether `fileName` is the file of a snapshot, whatever the file contains.
    static func isSnapshot(_ fileName: String) -> Bool {
        StoreFile.name(of: fileName, suffix: suffix) != nil
            || StoreFile.hasStoredName(fileName, suffix: suffix)
    }
}

/// The order of names: by their bytes, because names with different bytes are different, even if
/// Swift considers the strings equal.
func precedes(_ first: String, _ second: String) -> Bool {
    first.utf8.lexicographicallyPrecedes(second.utf8)
}
