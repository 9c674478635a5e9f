import Glibc

extension FileJournal {
    /// The content of the file; nil if there is none. `isLocked` tells that the caller holds the lock.
    func contents(
        in directory: borrowing Descriptor,
        isLocked: Bool
    ) throws(StoreError.Reason) -> JournalFormat.Contents? {
        try self.directory.read(
            file,
            in: directory,
            maximum: Self.largestFile
        ) { file, status throws(StoreError.Reason) in
            let identity = FileIdentity(status)
            if let known = cache.contents(of: identity, isLocked: isLocked) { return known }
            let contents = try JournalFormat.decode(try file.read(Int(status.st_size)))
            cache.store(contents, of: identity, isLocked: isLocked)
            return contents
        }
    }

    /// Makes sure that a record can be appended, and returns what it follows.
    ///
    /// Nothing is appended to an unfinished record: its bytes may come back after a crash, and pages
    /// that could not be written may look as if they were. A new file has neither problem.
    func prepare(
        _ found: JournalFormat.Contents?,
        in directory: borrowing Descriptor
    ) throws(StoreError.Reason) -> JournalFormat.Contents {
        guard let found else { return try replace(with: [], in: directory) }
        if let compaction, found.end >= compaction.threshold {
            let surviving = compaction.surviving(found.records)
            try check(surviving)
            if JournalFormat.length(of: surviving) <= found.end / 2 {
                return try replace(with: surviving, in: directory)
            }
        }
        return found.isFinished ? found : try replace(with: found.records, in: directory)
    }

    /// Replaces the journal by a file of `records`. The change is durable once the directory is
    /// synchronized.
    @discardableResult
    func replace(
        with records: [[UInt8]],
        in directory: borrowing Descriptor
    ) throws(StoreError.Reason) -> JournalFormat.Contents {
        let bytes = JournalFormat.encode(records)
        // A damaged journal was rejected before, so the existing file may be overwritten.
        try self.directory.replace(file, over: { .intact }, in: directory) {
            file throws(StoreError.Reason) in try file.writeAll(bytes[...], at: 0)
        }
        return JournalFormat.Contents(records: records, end: bytes.count, isFinished: true)
    }

    /// Makes what was read durable, even if its writer died before it did.
    func synchronize(
        _ found: JournalFormat.Contents,
        in directory: borrowing Descriptor
    ) throws(StoreError.Reason) {
        guard found.isFinished else {
            try replace(with: found.records, in: directory)
            return try directory.synchronize()
        }
        let file = try Descriptor(openAt: directory, file, O_WRONLY)
        try synchronize(file, end: found.end, in: directory)
    }

    /// Writes a record, and marks it once it is durable. A record that cannot be written is taken back.
    func write(
        _ record: [UInt8],
        after previous: JournalFormat.Contents,
        in directory: borrowing Descriptor
    ) throws(StoreError.Reason) {
        let end = previous.end
        let bytes = JournalFormat.encode(record, at: end, mark: JournalFormat.noMark)
        guard end <= Self.largestFile - bytes.count else {
            throw .tooLarge(maximum: Self.largestFile)
        }
        cache.clear()
        let file = try Descriptor(openAt: directory, file, O_WRONLY)
        do throws(StoreError.Reason) {
            try file.writeAll(bytes[...], at: end)
        } catch {
            leaveUnfinished(file, end: end)
            throw error
        }
        try synchronize(file, end: end, in: directory)
        do throws(StoreError.Reason) {
            try file.writeAll(JournalFormat.mark[...], at: end)
            try file.synchronizeData()
        } catch {
            try? file.writeAll(JournalFormat.noMark[...], at: end)
            throw error
        }
        guard let status = try? file.status() else { return }
        let contents = JournalFormat.Contents(
            records: previous.records + [record],
            end: end + bytes.count,
            isFinished: true
        )
        cache.store(contents, of: FileIdentity(status), isLocked: true)
    }

    /// Synchronizes the file and its entry in the directory: its creator may have died before that.
    private func synchronize(
        _ file: borrowing Descriptor,
        end: Int,
        in directory: borrowing Descriptor
    ) throws(StoreError.Reason) {
        do throws(StoreError.Reason) {
            try file.synchronizeData()
            try directory.synchronize()
        } catch {
            leaveUnfinished(file, end: end)
            throw error
        }
    }

    /// Leaves only the beginning of a record, so that the next append writes a new file and a full disk
    /// gets its space back.
    private func leaveUnfinished(_ file: borrowing Descriptor, end: Int) {
        try? file.truncate(to: end + JournalFormat.noMark.count)
    }
}
