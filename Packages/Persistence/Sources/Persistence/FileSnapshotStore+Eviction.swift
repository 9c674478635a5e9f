import Glibc

extension FileSnapshotStore {
    /// The seconds after which a further use of a snapshot is recorded.
    private static let useInterval = 60

    /// Loads a snapshot and records its use in the access time of its file, at most once per
    /// minute.
    func loadRecordingUse(_ name: String) throws(StoreError) -> Snapshot? {
        let file = Self.file(name)
        return try directory.reading(file, for: .load) { open throws(StoreError.Reason) in
            try read(file, in: open) { opened, status in
                if time(nil) - status.st_atim.tv_sec >= Self.useInterval { opened.setAccessTime() }
            }
        } ?? nil
    }

    /// Deletes the files that were written before `expiry`, and then the least recently used ones
    /// until the others are within the limits. The file of `name` is not deleted. A quarantined
    /// file counts, too. Returns the size and the number of the remaining files.
    ///
    /// The deletions are not durable, so after a crash of the machine a file may be back. The caller
    /// holds the lock, so no other writer can replace a file in between.
    func evict(
        exceeding maximum: (bytes: Int, count: Int),
        writtenBefore expiry: Int,
        except name: String,
        in open: borrowing Descriptor
    ) throws(StoreError.Reason) -> (bytes: Int, count: Int) {
        let new = Self.file(name).description
        var candidates: [Candidate] = []
        var (bytes, count) = (0, 0)
        for entry in try directory.entries(in: open) where Self.isEvictable(entry) {
            let candidate = Candidate(file: entry, try open.status(of: entry))
            bytes += candidate.bytes
            count += 1
            if entry != new { candidates.append(candidate) }
        }
        candidates.sort { $0.lastUse < $1.lastUse }
        for candidate in candidates {
            let isExpired = candidate.writtenAt < expiry
            guard isExpired || bytes > maximum.bytes || count > maximum.count else { continue }
            try directory.unlink(candidate.file, in: open)
            bytes -= candidate.bytes
            count -= 1
        }
        return (bytes, count)
    }

    /// The number of snapshots and the size of their files.
    func usage() throws(StoreError) -> (count: Int, bytes: Int) {
        try directory.reading(nil, for: .list) { open throws(StoreError.Reason) in
            var (count, bytes) = (0, 0)
            for file in try directory.entries(in: open) where Self.isSnapshot(file) {
                bytes += Int(try open.status(of: file).st_size)
                count += 1
            }
            return (count, bytes)
        } ?? (0, 0)
    }

    private static func isEvictable(_ file: String) -> Bool {
        isSnapshot(file) || file.contains(suffix + StoreDirectory.quarantineSuffix)
    }

    /// A file that may be deleted.
    private struct Candidate {
        let file: String
        let bytes: Int
        /// In seconds since 1970-01-01T00:00:00Z.
        let writtenAt: Int
        /// In seconds and nanoseconds.
        let lastUse: (Int, Int)

        init(file: String, _ status: stat) {
            self.file = file
            bytes = Int(status.st_size)
            writtenAt = status.st_mtim.tv_sec
            let written = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
            let used = (status.st_atim.tv_sec, status.st_atim.tv_nsec)
            lastUse = used > written ? used : written
        }
    }
}
