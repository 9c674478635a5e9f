import Synchronization

/// A store with one file a name in a directory of its own.
///
/// A replace is atomic and durable: temporary file in the same directory, `fsync`, `rename`,
/// `fsync` of the directory. After a crash at any point the old or the new snapshot is there, whole.
/// Several processes may share the directory.
public final class FileSnapshotStore: SnapshotStore {
    private let directory: StoreDirectory
    private let hasSwept = Mutex(false)

    /// Makes a store in `directory`, an absolute path. It is made, for this user alone, by the
    /// first save; it is refused when it is a link, somebody else's, or open to other writers.
    public init(directory: String) {
        self.directory = StoreDirectory(path: directory)
    }

    /// See ``SnapshotStore/load(_:)``.
    public func load(_ name: String) throws(StoreError) -> Snapshot? {
        try perform(.load, name) { () throws(StoreError.Reason) in
            let bytes = try directory.reading { directory throws(StoreError.Reason) in
                try self.directory.read(Self.file(name), in: directory, maximum: Self.largestFile)
            }
            guard case let bytes?? = bytes else { return nil }
            return try SnapshotFormat.decode(bytes).get()
        }
    }

    /// See ``SnapshotStore/replace(_:with:)``.
    public func replace(_ name: String, with snapshot: Snapshot) throws(StoreError) {
        try perform(.replace, name) { () throws(StoreError.Reason) in
            try directory.writing { directory throws(StoreError.Reason) in
                try write(snapshot, as: name, in: directory)
            }
        }
    }

    /// See ``SnapshotStore/update(_:_:)``.
    public func update(
        _ name: String,
        _ change: (Snapshot?) -> Snapshot?
    ) throws(StoreError) {
        try perform(.replace, name) { () throws(StoreError.Reason) in
            try directory.writing { directory throws(StoreError.Reason) in
                let file = Self.file(name)
                let bytes = try self.directory.read(file, in: directory, maximum: Self.largestFile)
                let current = try bytes.map { bytes throws(StoreError.Reason) in
                    try SnapshotFormat.decode(bytes).get()
                }
                if let changed = change(current) { try write(changed, as: name, in: directory) }
            }
        }
    }

    /// See ``SnapshotStore/remove(_:)``.
    public func remove(_ name: String) throws(StoreError) {
        try perform(.remove, name) { () throws(StoreError.Reason) in
            // A directory that does not exist has nothing to forget, and is not made for that.
            guard try directory.reading({ _ in true }) != nil else { return }
            try directory.writing { directory throws(StoreError.Reason) in
                try self.directory.remove(Self.file(name), in: directory)
            }
        }
    }

    /// See ``SnapshotStore/names()``.
    public func names() throws(StoreError) -> [String] {
        do throws(StoreError.Reason) {
            let entries = try directory.reading { directory throws(StoreError.Reason) in
                try self.directory.entries(in: directory)
            }
            return (entries ?? []).filter { $0.hasSuffix(Self.suffix) && !$0.hasPrefix(".") }
                .map { String($0.dropLast(Self.suffix.count)) }.sorted()
        } catch {
            throw StoreError(.list, path: directory.path, error)
        }
    }

    private static let suffix = ".snapshot"
    private static let largestFile =
        SnapshotFormat.headerLength + Snapshot.largestMetadata + Snapshot.largestPayload

    private static func file(_ name: String) -> String { name + suffix }

    private func perform<R>(
        _ operation: StoreError.Operation,
        _ name: String,
        _ body: () throws(StoreError.Reason) -> R
    ) throws(StoreError) -> R {
        do throws(StoreError.Reason) {
            guard StoreName.isValid(name) else { throw .invalidName }
            return try body()
        } catch {
            throw StoreError(operation, path: "\(directory.path)/\(Self.file(name))", error)
        }
    }

    private func write(
        _ snapshot: Snapshot,
        as name: String,
        in descriptor: borrowing Descriptor
    ) throws(StoreError.Reason) {
        guard snapshot.payload.count <= Snapshot.largestPayload else {
            throw .tooLarge(maximum: Snapshot.largestPayload)
        }
        guard snapshot.metadata.count <= Snapshot.largestMetadata else {
            throw .tooLarge(maximum: Snapshot.largestMetadata)
        }
        if hasSwept.withLock({ hasSwept in !exchange(&hasSwept, with: true) }) {
            try directory.sweep(descriptor)
        }
        try refuseNewerFormat(of: name, in: descriptor)
        let header = SnapshotFormat.header(of: snapshot)
        try directory.replace(
            Self.file(name),
            with: [header, snapshot.metadata, snapshot.payload],
            in: descriptor
        )
    }

    /// A file that a newer version wrote is not ours to overwrite; a damaged one is.
    private func refuseNewerFormat(
        of name: String,
        in descriptor: borrowing Descriptor
    ) throws(StoreError.Reason) {
        let file = Self.file(name)
        let limit = Self.largestFile
        do throws(StoreError.Reason) {
            let start = try directory.read(file, in: descriptor, maximum: limit, prefix: 10)
            guard let start, SnapshotFormat.mayBeNewer(start),
                let bytes = try directory.read(file, in: descriptor, maximum: limit)
            else { return }
            guard case .failure(.newerFormat(let version)) = SnapshotFormat.decode(bytes) else {
                return
            }
            throw .newerFormat(version)
        } catch .damaged {
            return
        } catch {
            throw error
        }
    }
}

private func exchange<T>(_ value: inout T, with new: T) -> T {
    defer { value = new }
    return value
}
