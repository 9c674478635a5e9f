/// An append-only file of records: each is durable when the call that wrote it returns.
///
/// For what must survive a crash and is never evicted, such as intents. Several processes may
/// share a journal; one writes at a time. A damaged journal is refused as a whole and kept as it is.
public final class FileJournal: Sendable {
    /// The largest record, in bytes.
    public static let largestRecord = 1 << 20
    static let largestFile = 1 << 30

    let directory: StoreDirectory
    private let name: String
    let compaction: JournalCompaction?

    /// Makes a journal in `directory`, an absolute path, that is made by the first append.
    ///
    /// With `compaction`, an append first rewrites a journal of at least its threshold, if what
    /// survives takes half of it at most: so each rewrite is paid for by as many bytes appended.
    /// `subdirectory` is as in ``FileSnapshotStore/init(directory:subdirectory:)``.
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

    /// All records, oldest first; one whose append is under way may be the last of them.
    ///
    /// Throws `damaged`, `newerFormat`, `insecure`, `invalidName` or `system`.
    public func records() throws(StoreError) -> [[UInt8]] {
        try perform(.load) { () throws(StoreError.Reason) in
            let found = try directory.reading { directory throws(StoreError.Reason) in
                try self.contents(in: directory)
            }
            return (found ?? nil)?.records ?? []
        }
    }

    /// Appends `record`, of at most ``largestRecord`` bytes.
    ///
    /// When this throws, the record is not in the journal. Where a `system` error of `fdatasync`
    /// is followed by a crash of the machine, it may be there nevertheless.
    public func append(_ record: [UInt8]) throws(StoreError) {
        try append { _ in record }
    }

    /// Appends what `decide` makes of the records so far, with no other writer in between, also
    /// between processes. Nothing is written when `decide` gives nil; what it saw is durable then.
    ///
    /// `decide` must not write to this directory: it would wait for itself.
    public func append(_ decide: ([[UInt8]]) -> [UInt8]?) throws(StoreError) {
        try perform(.append) { () throws(StoreError.Reason) in
            try directory.writing { directory throws(StoreError.Reason) in
                let found = try contents(in: directory)
                guard let record = decide(found?.records ?? []) else {
                    if let found { try settle(found, in: directory) }
                    return
                }
                try check([record])
                let end = try prepare(found, in: directory)
                try write(record, at: end, in: directory)
            }
        }
    }

    /// Rewrites the journal with the records that `keep` wants, in their order.
    ///
    /// Durable and at once: a crash leaves the old journal or the new one.
    public func compact(keeping keep: ([UInt8]) -> Bool) throws(StoreError) {
        try perform(.replace) { () throws(StoreError.Reason) in
            guard try directory.reading({ _ in true }) != nil else { return }
            try directory.writing { directory throws(StoreError.Reason) in
                guard let found = try contents(in: directory) else { return }
                let kept = found.records.filter(keep)
                if kept.count == found.records.count {
                    return try settle(found, in: directory)
                }
                try replace(with: kept, in: directory)
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
