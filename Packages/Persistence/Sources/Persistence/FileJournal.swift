import Glibc
import Synchronization

/// An append-only file of records. A record is durable when the call that appends it returns.
///
/// Use it for data that must survive a crash, such as a request that is about to be sent. Several
/// processes may share a journal; only one writes at a time. If any part of a journal is damaged,
/// every call throws `damaged` and leaves the file unchanged.
///
/// Every call needs all records. This object caches a journal of up to 4 MiB, and reads and verifies
/// it again only after a different object or process has changed it. A larger journal, of at most
/// 1 GiB, is read by every call, so use a ``JournalCompaction``.
public final class FileJournal: Sendable {
    /// The size limit of a record, in bytes: 1 MiB.
    public static let maximumRecordSize = 1 << 20
    static let maximumFileSize = 1 << 30

    let directory: StoreDirectory
    private let file: StoreFile
    private let compaction: JournalCompaction?
    private let cache = Mutex<JournalCache?>(nil)

    /// Creates a journal in the file `NAME.journal`. The first append creates the file and the
    /// missing directories, which are those of a ``FileSnapshotStore``.
    ///
    /// - Parameters:
    ///   - directory: An absolute path.
    ///   - subdirectory: The relative path of the journal's directory below `directory`.
    ///   - name: The name of the journal. It is escaped into the file name, where it may have up to
    ///     200 bytes.
    ///   - compaction: Selects the records to retain. Once the file has reached the threshold, an
    ///     append first rewrites the journal if this at least halves its size. The cost of a
    ///     rewrite is therefore proportional to the bytes that were appended since the last one.
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

    /// Reads all records.
    ///
    /// - Returns: The records, oldest first. The last one may not be durable yet if its append is
    ///   still running.
    /// - Throws: `damaged`, `newerFormat`, `insecure`, `nameTooLong`, or `system`.
    public func records() throws(StoreError) -> [[UInt8]] {
        try directory.reading(file, for: .load) { directory throws(StoreError.Reason) in
            try contents(in: directory, isLocked: false)?.records ?? []
        } ?? []
    }

    /// Appends a record. It is durable when this returns.
    ///
    /// - Parameter record: At most 1 MiB (``maximumRecordSize``).
    /// - Throws: `tooLarge` if the record or the journal would be too large, or an error of
    ///   ``records()``. The record is not in the journal then, with one exception: if `fdatasync`
    ///   fails and the machine then crashes, the record may be there.
    public func append(_ record: [UInt8]) throws(StoreError) {
        try appendIfNeeded { _ in record }
    }

    /// Appends a record that depends on the existing ones, unless they make it unnecessary. No other
    /// thread or process can write in the meantime.
    ///
    /// - Parameter makeRecord: Receives the existing records, oldest first, and returns the new one.
    ///   If it returns nil, this writes nothing but makes sure that the existing records are durable.
    ///   It must not write to this directory, because that would deadlock.
    /// - Throws: The errors of ``append(_:)``.
    public func appendIfNeeded(_ makeRecord: ([[UInt8]]) -> [UInt8]?) throws(StoreError) {
        try directory.writing(file, for: .append) { directory throws(StoreError.Reason) in
            let contents = try contents(in: directory, isLocked: true)
            guard let record = makeRecord(contents?.records ?? []) else {
                if let contents { try synchronize(contents, in: directory) }
                return
            }
            try check([record])
            let previous = try prepareAppend(to: contents, in: directory)
            try write(record, after: previous, in: directory)
        }
    }
}

extension FileJournal {
    /// Replaces the records with others, so that nothing else remains in the file: neither the records
    /// that are gone, nor an unfinished one. A crash leaves the old file or the new one.
    ///
    /// - Parameter change: Receives the records, oldest first, and returns those that replace them. It
    ///   must not write to this directory, because that would deadlock. If it returns nil or the same
    ///   records, the file is written only to remove an unfinished record.
    /// - Returns: Whether the file was written.
    /// - Throws: The errors of ``append(_:)``. If the `fsync` of the directory failed, the new file is in
    ///   place, and a crash may restore the old one.
    @discardableResult
    public func rewrite(_ change: ([[UInt8]]) -> [[UInt8]]?) throws(StoreError) -> Bool {
        try directory.writingExisting(file, for: .replace) { directory throws(StoreError.Reason) in
            guard let contents = try contents(in: directory, isLocked: true) else { return false }
            let records = change(contents.records) ?? contents.records
            guard records != contents.records || !contents.isFinished else { return false }
            try check(records)
            guard JournalFormat.length(of: records) <= Self.maximumFileSize else {
                throw .tooLarge(maximum: Self.maximumFileSize)
            }
            let replaced = try replace(with: records, in: directory)
            try directory.synchronize()
            cache(replaced, in: directory)
            return true
        } ?? false
    }

    /// Remembers the content that was just written, unless that fails.
    private func cache(_ contents: JournalFormat.Contents, in directory: borrowing Descriptor) {
        let status = try? Descriptor(openAt: directory, file.description, O_RDONLY).status()
        cache.withLock { cache in
            cache = status.flatMap { JournalCache(contents, of: FileIdentity($0), isLocked: true) }
        }
    }
}

extension FileJournal {
    /// The content of the file; nil if the file does not exist. `isLocked` is whether the caller
    /// holds the lock.
    private func contents(
        in directory: borrowing Descriptor,
        isLocked: Bool
    ) throws(StoreError.Reason) -> JournalFormat.Contents? {
        try self.directory.read(
            file.description,
            in: directory,
            maximum: Self.maximumFileSize
        ) { file, status throws(StoreError.Reason) in
            let identity = FileIdentity(status)
            let cached = cache.withLock { $0?.contents(of: identity, isLocked: isLocked) }
            if let cached { return cached }
            let contents = try JournalFormat.decode(try file.read(Int(status.st_size)))
            cache.withLock { $0 = JournalCache(contents, of: identity, isLocked: isLocked) }
            return contents
        }
    }

    /// Creates or rewrites the file if necessary, so that a record can be appended. Returns the new
    /// content.
    ///
    /// If the file ends with an unfinished record, nothing is written over it: a crash might
    /// restore the old bytes, and pages that could not be written might look as if they were. A new
    /// file has neither problem.
    private func prepareAppend(
        to contents: JournalFormat.Contents?,
        in directory: borrowing Descriptor
    ) throws(StoreError.Reason) -> JournalFormat.Contents {
        guard let contents else { return try replace(with: [], in: directory) }
        if let compaction, contents.end >= compaction.threshold {
            let surviving = compaction.surviving(contents.records)
            try check(surviving)
            if JournalFormat.length(of: surviving) <= contents.end / 2 {
                return try replace(with: surviving, in: directory)
            }
        }
        return contents.isFinished ? contents : try replace(with: contents.records, in: directory)
    }

    /// Replaces the journal with a file of `records`. The change is durable once the directory is
    /// synchronized.
    @discardableResult
    private func replace(
        with records: [[UInt8]],
        in directory: borrowing Descriptor
    ) throws(StoreError.Reason) -> JournalFormat.Contents {
        let bytes = JournalFormat.encode(records)
        // The existing file is intact: a damaged journal has already been rejected.
        try self.directory.replace(file, over: { .intact }, in: directory) {
            file throws(StoreError.Reason) in try file.writeAll(bytes[...], at: 0)
        }
        return JournalFormat.Contents(records: records, end: bytes.count, isFinished: true)
    }

    /// Makes the content that was read durable, because its writer may have died before doing so.
    private func synchronize(
        _ contents: JournalFormat.Contents,
        in directory: borrowing Descriptor
    ) throws(StoreError.Reason) {
        guard contents.isFinished else {
            try replace(with: contents.records, in: directory)
            return try directory.synchronize()
        }
        let file = try Descriptor(openAt: directory, file.description, O_WRONLY)
        try synchronize(file, end: contents.end, in: directory)
    }

    /// Writes a record after `previous`, and marks it once it is durable. If this fails, the record
    /// stays without a mark.
    func write(
        _ record: [UInt8],
        after previous: JournalFormat.Contents,
        in directory: borrowing Descriptor
    ) throws(StoreError.Reason) {
        let end = previous.end
        let bytes = JournalFormat.encode(record, at: end, mark: JournalFormat.noMark)
        guard end <= Self.maximumFileSize - bytes.count else {
            throw .tooLarge(maximum: Self.maximumFileSize)
        }
        cache.withLock { $0 = nil }
        let file = try Descriptor(openAt: directory, file.description, O_WRONLY)
        do {
            try file.writeAll(bytes[...], at: end)
        } catch {
            leaveUnfinished(file, end: end)
            throw error
        }
        try synchronize(file, end: end, in: directory)
        do {
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

    /// Synchronizes the file and its entry in the directory, because the process that created the
    /// file may have died before doing so.
    private func synchronize(
        _ file: borrowing Descriptor,
        end: Int,
        in directory: borrowing Descriptor
    ) throws(StoreError.Reason) {
        do {
            try file.synchronizeData()
            try directory.synchronize()
        } catch {
            leaveUnfinished(file, end: end)
            throw error
        }
    }

    /// Truncates a failed record to the zeros in place of its mark. This frees space on a full disk. The next
    /// append writes a new file because it finds an unfinished record.
    private func leaveUnfinished(_ file: borrowing Descriptor, end: Int) {
        try? file.truncate(to: end + JournalFormat.noMark.count)
    }

    private func check(_ records: [[UInt8]]) throws(StoreError.Reason) {
        guard records.allSatisfy({ $0.count <= Self.maximumRecordSize }) else {
            throw .tooLarge(maximum: Self.maximumRecordSize)
        }
    }
}

/// How a journal drops records that are no longer needed, so that it does not grow forever.
///
/// The caller decides which records survive. The journal decides when to compact.
public struct JournalCompaction: Sendable {
    /// The minimum file size, in bytes, at which an append considers compaction.
    public var threshold: Int
    /// Returns the records that replace the given ones, oldest first: a subset of them, or fewer
    /// records with the same meaning. This function runs while the journal is locked, and must not
    /// use the journal.
    public var surviving: @Sendable ([[UInt8]]) -> [[UInt8]]

    /// Creates a compaction.
    ///
    /// - Parameters:
    ///   - threshold: The minimum file size, in bytes, at which an append considers compaction.
    ///   - surviving: Returns the records that replace the given ones, oldest first. See
    ///     ``surviving``.
    public init(
        threshold: Int = 1 << 20,
        surviving: @escaping @Sendable ([[UInt8]]) -> [[UInt8]]
    ) {
        self.threshold = threshold
        self.surviving = surviving
    }
}

/// The content of a journal file that a ``FileJournal`` last read or wrote. An unchanged file is not
/// read again.
struct JournalCache {
    /// The largest file to cache, in bytes.
    private static let maximumFileSize = 4 << 20

    private let identity: FileIdentity
    private let contents: JournalFormat.Contents
    /// Whether this process held the lock when it read or wrote the file. Without the lock, it may
    /// have read a record that its writer then removed, too soon for the file's times to differ.
    private let isLocked: Bool

    /// Creates a cache of `contents`; nil if the file is too large or ends with an unfinished
    /// record.
    init?(_ contents: JournalFormat.Contents, of identity: FileIdentity, isLocked: Bool) {
        guard contents.isFinished, contents.end <= Self.maximumFileSize else { return nil }
        (self.contents, self.identity, self.isLocked) = (contents, identity, isLocked)
    }

    /// The cached content, if it is that of the file with `identity`. A caller that holds the lock
    /// gets only content that was read or written under the lock.
    func contents(of identity: FileIdentity, isLocked: Bool) -> JournalFormat.Contents? {
        self.identity == identity && (self.isLocked || !isLocked) ? contents : nil
    }
}

/// Identifies the content of a file without reading it: every change of the file changes its inode,
/// size, or status change time.
struct FileIdentity: Equatable {
    private let device: dev_t
    private let inode: ino_t
    private let size: off_t
    private let seconds: Int
    private let nanoseconds: Int

    init(_ status: stat) {
        device = status.st_dev
        inode = status.st_ino
        size = status.st_size
        (seconds, nanoseconds) = (status.st_ctim.tv_sec, status.st_ctim.tv_nsec)
    }
}
