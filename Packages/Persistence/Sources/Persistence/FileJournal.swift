import Glibc

/// An append-only file of records: each is durable when the call that wrote it returns.
///
/// For what must survive a crash and is never evicted, such as intents. Several processes may
/// share a journal; one writes at a time.
public final class FileJournal: Sendable {
    /// The largest record, in bytes.
    public static let largestRecord = 1 << 20
    private static let largestFile = 1 << 30

    private let directory: StoreDirectory
    private let name: String

    /// Makes a journal in `directory`, an absolute path, that is made by the first append.
    public init(directory: String, name: String) {
        self.directory = StoreDirectory(path: directory)
        self.name = name
    }

    /// All records, oldest first. Throws `damaged`, `newerFormat`, `insecure` or `system`.
    public func records() throws(StoreError) -> [[UInt8]] {
        try perform(.load) { () throws(StoreError.Reason) in
            let found = try directory.reading { directory throws(StoreError.Reason) in
                try self.contents(in: directory)
            }
            return found?.records ?? []
        }
    }

    /// Appends `record`. When this throws, the record is not in the journal.
    public func append(_ record: [UInt8]) throws(StoreError) {
        try append { _ in record }
    }

    /// Appends what `decide` makes of the records so far, with no other writer in between, also
    /// between processes. Nothing is written when `decide` gives nil.
    public func append(_ decide: ([[UInt8]]) -> [UInt8]?) throws(StoreError) {
        try perform(.append) { () throws(StoreError.Reason) in
            try directory.writing { directory throws(StoreError.Reason) in
                let (records, end) = try self.contents(in: directory)
                guard let record = decide(records) else { return }
                guard record.count <= Self.largestRecord else {
                    throw .tooLarge(maximum: Self.largestRecord)
                }
                if end == 0 {
                    let first = [JournalFormat.header, JournalFormat.encode(record)]
                    try self.directory.replace(file, with: first, in: directory)
                } else {
                    try write(JournalFormat.encode(record), at: end, in: directory)
                }
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
                try self.directory.sweep(directory)
                let (records, _) = try self.contents(in: directory)
                let kept = records.filter(keep)
                if kept.count == records.count { return }
                let parts = [JournalFormat.header] + kept.map(JournalFormat.encode)
                try self.directory.replace(file, with: parts, in: directory)
            }
        }
    }

    private var file: String { name + ".journal" }

    private func contents(
        in directory: borrowing Descriptor
    ) throws(StoreError.Reason) -> (records: [[UInt8]], end: Int) {
        let bytes = try self.directory.read(file, in: directory, maximum: Self.largestFile)
        return try JournalFormat.decode(bytes ?? []).get()
    }

    private func write(
        _ record: [UInt8],
        at end: Int,
        in directory: borrowing Descriptor
    ) throws(StoreError.Reason) {
        let descriptor = try Descriptor(openAt: directory, file, O_WRONLY)
        // An unfinished record of a writer that died is cut off first.
        try descriptor.truncate(to: end)
        do throws(StoreError.Reason) {
            try descriptor.writeAll(record, at: end)
            try descriptor.synchronize()
        } catch {
            try? descriptor.truncate(to: end)
            throw error
        }
    }

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
}
