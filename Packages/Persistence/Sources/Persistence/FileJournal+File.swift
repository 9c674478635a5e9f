import Glibc

extension FileJournal {
    /// What is in the file; nil when there is none.
    func contents(
        in directory: borrowing Descriptor
    ) throws(StoreError.Reason) -> JournalFormat.Contents? {
        try self.directory.read(
            file,
            in: directory,
            maximum: Self.largestFile
        ) { file, size throws(StoreError.Reason) in
            try JournalFormat.decode(try file.read(size))
        }
    }

    /// Puts a file in place that a record can be appended to, if need be, and gives its length.
    ///
    /// Behind an unfinished record nothing is appended: its bytes may come back after a crash, and
    /// pages that could not be written may look as if they were. A new file has neither.
    func prepare(
        _ found: JournalFormat.Contents?,
        in directory: borrowing Descriptor
    ) throws(StoreError.Reason) -> Int {
        guard let found else { return try put([], in: directory) }
        if let compaction, found.end >= compaction.threshold {
            let surviving = compaction.surviving(found.records)
            try check(surviving)
            if JournalFormat.length(of: surviving) <= found.end / 2 {
                return try put(surviving, in: directory)
            }
        }
        return found.isFinished ? found.end : try put(found.records, in: directory)
    }

    /// Puts a file of `records` in the place of the journal, durably.
    func replace(
        with records: [[UInt8]],
        in directory: borrowing Descriptor
    ) throws(StoreError.Reason) {
        _ = try put(records, in: directory)
        try directory.synchronize()
    }

    /// The same, but durable only once the directory is synchronized; gives the file's length.
    private func put(
        _ records: [[UInt8]],
        in directory: borrowing Descriptor
    ) throws(StoreError.Reason) -> Int {
        let bytes = JournalFormat.encode(records)
        // A damaged journal was refused before: what is there may go.
        try self.directory.put(file, over: { .whole }, in: directory) {
            file throws(StoreError.Reason) in try file.writeAll(bytes[...], at: 0)
        }
        return bytes.count
    }

    /// Makes what was read durable, also where its writer died before it did.
    func settle(
        _ found: JournalFormat.Contents,
        in directory: borrowing Descriptor
    ) throws(StoreError.Reason) {
        guard found.isFinished else {
            return try replace(with: found.records, in: directory)
        }
        let file = try Descriptor(openAt: directory, file, O_WRONLY)
        try synchronize(file, end: found.end, in: directory)
    }

    /// Writes a record, and marks it once it is durable. What fails is taken back.
    func write(
        _ record: [UInt8],
        at end: Int,
        in directory: borrowing Descriptor
    ) throws(StoreError.Reason) {
        let bytes = JournalFormat.encode(record, at: end, mark: JournalFormat.noMark)
        guard end <= Self.largestFile - bytes.count else {
            throw .tooLarge(maximum: Self.largestFile)
        }
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
    }

    /// Synchronizes the file, and its entry too: who made it may have died before this.
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

    /// Leaves the beginning of a record and no more, so that the next append writes a new file, and
    /// a full disk has its space back.
    private func leaveUnfinished(_ file: borrowing Descriptor, end: Int) {
        try? file.truncate(to: end + JournalFormat.noMark.count)
    }
}
