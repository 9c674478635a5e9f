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
    private let name: String
    let compaction: JournalCompaction?
    let cache = JournalCache()

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
        self.name = name
        self.compaction = compaction
    }

    /// All records, oldest first. The last one may be a record whose append is still under way.
    ///
    /// Throws `damaged`, `newerFormat`, `insecure`, `invalidName`, or `system`.
    public func records() throws(StoreError) -> [[UInt8]] {
        try perform(.load) { () throws(StoreError.Reason) in
            let found = try directory.reading { directory throws(StoreError.Reason) in
                try self.contents(in: directory, isLocked: false)
            }
            return (found ?? nil)?.records ?? []
        }
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
        try perform(.append) { () throws(StoreError.Reason) in
            try directory.writing { directory throws(StoreError.Reason) in
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
    }

    /// Rewrites the journal with the records for which `isNeeded` returns true, in their order.
    ///
    /// Atomic and durable: a crash leaves the old journal or the new one.
    public func compact(keeping isNeeded: ([UInt8]) -> Bool) throws(StoreError) {
        try perform(.replace) { () throws(StoreError.Reason) in
            guard try directory.reading({ _ in true }) != nil else { return }
            try directory.writing { directory throws(StoreError.Reason) in
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

    var file: String { name + ".journal" }

    private func perform<R>(
        _ operation: StoreError.Operation,
        _ body: () throws(StoreError.Reason) -> R
    ) throws(StoreError) -> R {
        do throws(StoreError.Reason) {
            guard StoreName.isValid(name) else { throw .invalidName }
            return try body()
        } catch {
            throw StoreError(operation, path: "\(directory.path)/\(file)", error)
        }
    }

    func check(_ records: [[UInt8]]) throws(StoreError.Reason) {
        guard records.allSatisfy({ $0.count <= Self.largestRecord }) else {
            throw .tooLarge(maximum: Self.largestRecord)
        }
    }
}
