import Glibc
import Synchronization

/// An append-only file of records: each is durable when the call that wrote it returns.
///
/// For what must survive a crash and is never evicted, such as intents. Several processes may share a
/// journal; one writes at a time. A damaged journal is rejected as a whole and left unchanged. Each
/// process reads a journal of up to 4 MiB again only after a different process has changed it.
public final class FileJournal: Sendable {
    /// The largest record, in bytes.
    public static let largestRecord = 1 << 20
    static let largestFile = 1 << 30

    let directory: StoreDirectory
    private let file: StoreFile
    private let compaction: JournalCompaction?
    private let cache = Mutex<JournalCache?>(nil)

    /// Makes a journal in `directory`, an absolute path. The first append creates it.
    ///
    /// With `compaction`, an append first rewrites a journal of at least its threshold, if at most
    /// half of it survives: each rewrite is paid for by as many appended bytes. `subdirectory` is as
    /// in ``FileSnapshotStore/init(directory:subdirectory:)``.
    public init(
        directory: String,
        subdirectory: String? = nil,
        name: String,
        compaction: JournalCompaction? = nil
    ) {
        self.directory = StoreDirectory(path: directory, subdirectory: subdirectory)
        file = StoreFile(name, suffix: ".journal")
        self.compaction = compaction
    }

    /// All records, oldest first. The last one may be a record whose append is still under way.
    ///
    /// Throws `damaged`, `newerFormat`, `insecure`, `invalidName`, or `system`.
    public func records() throws(StoreError) -> [[UInt8]] {
        try directory.reading(file, for: .load) { directory throws(StoreError.Reason) in
            try contents(in: directory, isLocked: false)?.records ?? []
        } ?? []
    }

    /// Appends `record`, of at most ``largestRecord`` bytes.
    ///
    /// If this throws, the record is not in the journal. If a `system` error of `fdatasync` is followed
    /// by a crash of the machine, the record may be there nevertheless.
    public func append(_ record: [UInt8]) throws(StoreError) {
        try append { _ in record }
    }

    /// Appends what `decide` returns for the existing records. No other thread or process writes in
    /// between. If `decide` returns nil, nothing is written, and the records that it saw are durable.
    ///
    /// `decide` must not write to this directory: that would deadlock.
    public func append(_ decide: ([[UInt8]]) -> [UInt8]?) throws(StoreError) {
        try directory.writing(file, for: .append) { directory throws(StoreError.Reason) in
            let found = try contents(in: directory, isLocked: true)
            guard let record = decide(found?.records ?? []) else {
                if let found { try synchronize(found, in: directory) }
                return
            }
            try check([record])
            let prepared = try prepare(found, in: directory)
            try write(record, after: prepared, in: directory)
        }
    }

    /// Rewrites the journal with the records for which `isNeeded` returns true, in their order.
    ///
    /// Atomic and durable: a crash leaves the old journal or the new one.
    public func compact(keeping isNeeded: ([UInt8]) -> Bool) throws(StoreError) {
        guard try directory.reading(file, for: .replace, { _ in true }) != nil else { return }
        try directory.writing(file, for: .replace) { directory throws(StoreError.Reason) in
            guard let found = try contents(in: directory, isLocked: true) else { return }
            let needed = found.records.filter(isNeeded)
            if needed.count == found.records.count {
                return try synchronize(found, in: directory)
            }
            try replace(with: needed, in: directory)
            try directory.synchronize()
        }
    }
}

extension FileJournal {
    /// The content of the file; nil if the file does not exist. `isLocked` is whether the caller holds
    /// the lock.
    private func contents(
        in directory: borrowing Descriptor,
        isLocked: Bool
    ) throws(StoreError.Reason) -> JournalFormat.Contents? {
        try self.directory.read(
            file,
            in: directory,
            maximum: Self.largestFile
        ) { file, status throws(StoreError.Reason) in
            let identity = FileIdentity(status)
            let known = cache.withLock { $0?.contents(of: identity, isLocked: isLocked) }
            if let known { return known }
            let contents = try JournalFormat.decode(try file.read(Int(status.st_size)))
            cache.withLock { $0 = JournalCache(contents, of: identity, isLocked: isLocked) }
            return contents
        }
    }

    /// Makes sure that a record can be appended, and returns what it follows.
    ///
    /// Nothing is appended to an unfinished record: its bytes may come back after a crash, and pages
    /// that could not be written may look as if they were. A new file has neither problem.
    private func prepare(
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
    private func replace(
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
    private func synchronize(
        _ found: JournalFormat.Contents,
        in directory: borrowing Descriptor
    ) throws(StoreError.Reason) {
        guard found.isFinished else {
            try replace(with: found.records, in: directory)
            return try directory.synchronize()
        }
        let file = try Descriptor(openAt: directory, file.description, O_WRONLY)
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
        cache.withLock { $0 = nil }
        let file = try Descriptor(openAt: directory, file.description, O_WRONLY)
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
        cache.withLock { $0 = JournalCache(contents, of: FileIdentity(status), isLocked: true) }
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

    private func check(_ records: [[UInt8]]) throws(StoreError.Reason) {
        guard records.allSatisfy({ $0.count <= Self.largestRecord }) else {
            throw .tooLarge(maximum: Self.largestRecord)
        }
    }
}
