import Glibc
import Synchronization

/// A store with one file per snapshot in a directory. With limits, it is a cache.
///
/// A replacement is atomic and durable: it writes a temporary file in the same directory, calls
/// `fsync` on the file, renames it, and calls `fsync` on the directory. After a crash at any point,
/// the file has either the complete old snapshot or the complete new one. Several processes may
/// share the directory. A writer waits for the other writers of the directory, without a time limit.
///
/// A damaged file is not overwritten or deleted. A replacement or a removal quarantines it: it is
/// renamed to `NAME.snapshot.damaged-N`. The newest three such files for each name are retained. An
/// update of a damaged snapshot throws `damaged`.
///
/// A write that exceeds a limit deletes the least recently used snapshots. The time of a use is the
/// later of the write and the access time of the file, which a load sets at most once per minute.
/// This is therefore approximately LRU. Such a deletion does not look into the file, so it also deletes
/// damaged snapshots and newer formats. Do not write data that must not be lost to the directory of
/// a cache.
///
/// Several processes may share a cache. Each process looks at all files after it has written a
/// sixteenth of a limit, and on its first write. So the limits hold after each write of a single
/// process; each further process may exceed them by a sixteenth and the snapshot that it is writing.
/// Two objects of one process count as two processes here.
/// A program that was killed leaves nothing inconsistent: there is no index.
public final class FileSnapshotStore: SnapshotStore {
    let directory: StoreDirectory
    /// The length of the chunks in which a payload is written. See
    /// ``SnapshotFormat/write(_:name:to:chunkLength:)``.
    private let chunkLength: Int
    let limits: Limits?
    let now: @Sendable () -> Timestamp
    /// What this object has written; nil before it has looked at all files of a cache.
    let written = Mutex<Written?>(nil)

    /// Creates a store. The first write creates the missing directories, for this user only.
    ///
    /// Operations throw `insecure` if the store's directory is a symbolic link, belongs to another
    /// user, or is writable by others. With `subdirectory`, the owner and the permissions of every
    /// directory from `directory` down are checked.
    ///
    /// - Parameters:
    ///   - directory: An absolute path.
    ///   - subdirectory: The relative path of the store's directory below `directory`; nil for
    ///     `directory` itself.
    ///   - limits: What a cache may contain. Every process should use the same limits. Without
    ///     limits, nothing is deleted.
    public convenience init(
        directory: String,
        subdirectory: String? = nil,
        limits: Limits? = nil
    ) {
        self.init(directory, subdirectory, limits)
    }

    init(
        _ directory: String,
        _ subdirectory: String? = nil,
        _ limits: Limits? = nil,
        chunkLength: Int = SnapshotFormat.chunkLength,
        now: @escaping @Sendable () -> Timestamp = { .now }
    ) {
        self.directory = StoreDirectory(path: directory, subdirectory: subdirectory)
        self.limits = limits
        self.chunkLength = chunkLength
        self.now = now
    }

    /// See ``SnapshotStore/loadWithPosition(_:)``. An expired snapshot is a missing one.
    public func loadWithPosition(
        _ name: String
    ) throws(StoreError) -> (snapshot: Snapshot, position: SnapshotPosition)? {
        let file = Self.file(name)
        let loaded =
            try directory.reading(file, for: .load) { open throws(StoreError.Reason) in
                try read(file, in: open, recordingUse: limits != nil)
            } ?? nil
        guard let loaded, isFresh(loaded.snapshot.savedAt) else { return nil }
        return loaded
    }

    /// See ``SnapshotStore/replace(_:with:if:)``.
    ///
    /// - Throws: Also `tooLarge` if the snapshot alone exceeds the limit of a cache.
    public func replace(
        _ name: String,
        with snapshot: Snapshot,
        if condition: () -> Bool
    ) throws(StoreError) -> Bool {
        let file = Self.file(name)
        return try directory.writing(file, for: .replace) {
            open throws(StoreError.Reason) -> Bool in
            guard condition() else { return false }
            try write(snapshot, to: file, in: open) { () throws(StoreError.Reason) in
                try existingFile(file.description, storing: file.storedName, in: open)
            }
            return true
        }
    }

    /// See ``SnapshotStore/update(_:_:)``. `change` receives nil for an expired snapshot.
    ///
    /// - Throws: Also `tooLarge` if the snapshot alone exceeds the limit of a cache.
    public func update(
        _ name: String,
        _ change: (Snapshot?) -> Snapshot?
    ) throws(StoreError) {
        let file = Self.file(name)
        try directory.writing(file, for: .replace) { open throws(StoreError.Reason) in
            let current = try read(file, in: open)?.snapshot
            guard let changed = change(isFresh(current?.savedAt) ? current : nil) else {
                // The snapshot that `change` saw must be durable, even if its writer died before.
                return try open.synchronize()
            }
            let existing = current == nil ? ExistingFile.absent : .intact
            try write(changed, to: file, in: open) { existing }
        }
    }

    /// See ``SnapshotStore/remove(_:)``.
    public func remove(_ name: String) throws(StoreError) {
        let file = Self.file(name)
        try directory.writingExisting(file, for: .remove) { open throws(StoreError.Reason) in
            if try delete(file.description, storing: file.storedName, in: open) {
                try open.synchronize()
            }
        }
    }

    /// Durably writes `snapshot` over the file that `inspect` examines.
    ///
    /// If this throws, the old snapshot remains, with one exception: if the `fsync` of the
    /// directory failed, the new file is in place, and a crash may restore the old one.
    private func write(
        _ snapshot: Snapshot,
        to file: StoreFile,
        in open: borrowing Descriptor,
        over inspect: () throws(StoreError.Reason) -> ExistingFile
    ) throws(StoreError.Reason) {
        guard snapshot.size <= Snapshot.maximumPayloadSize else {
            throw .tooLarge(maximum: Snapshot.maximumPayloadSize)
        }
        guard snapshot.metadata.count <= Snapshot.maximumMetadataSize else {
            throw .tooLarge(maximum: Snapshot.maximumMetadataSize)
        }
        let name = file.storedName
        let header = SnapshotFormat.headerLength + name.count + snapshot.metadata.count
        let size = header + snapshot.size
        if let limits, size > limits.bytes { throw .tooLarge(maximum: limits.bytes) }
        try directory.replace(file, over: inspect, in: open) { file throws(StoreError.Reason) in
            try SnapshotFormat.write(snapshot, name: name, to: file, chunkLength: chunkLength)
        }
        try open.synchronize()
        evictIfNecessary(afterWriting: size, to: file, in: open)
    }
}

extension FileSnapshotStore {
    static let suffix = ".snapshot"
    static let maximumFileSize =
        SnapshotFormat.headerLength + Snapshot.maximumNameSize + Snapshot.maximumMetadataSize
        + Snapshot.maximumPayloadSize

    static func file(_ name: String) -> StoreFile {
        StoreFile(name, suffix: suffix, canStoreName: true)
    }

    /// The snapshot in `file`; nil if there is no such file. The access time of its file may record
    /// its use, at most once per minute.
    private func read(
        _ file: StoreFile,
        in open: borrowing Descriptor,
        recordingUse: Bool = false
    ) throws(StoreError.Reason) -> (snapshot: Snapshot, position: SnapshotPosition)? {
        let (name, maximum) = (file.description, Self.maximumFileSize)
        return try directory.read(name, in: open, maximum: maximum) {
            opened,
            status throws(StoreError.Reason) in
            if recordingUse, time(nil) - status.st_atim.tv_sec >= 60 { opened.setAccessTime() }
            return try SnapshotFormat.read(opened, status, name: file.storedName)
        }
    }

    /// Everything but the payload of the file `fileName`; nil if there is no such file.
    func readProperties(
        _ fileName: String,
        in open: borrowing Descriptor
    ) throws(StoreError.Reason) -> SnapshotFormat.Properties? {
        let read = SnapshotFormat.readProperties
        return try directory.read(fileName, in: open, maximum: Self.maximumFileSize, read)
    }

    /// Deletes the file `fileName`, or durably quarantines it if it is damaged. Without `name`, the
    /// file may store any name.
    ///
    /// Returns whether the directory must be synchronized. This is so even if the file was missing,
    /// because a process that deleted it may have died before it synchronized the directory.
    func delete(
        _ fileName: String,
        storing name: [UInt8]?,
        in open: borrowing Descriptor
    ) throws(StoreError.Reason) -> Bool {
        do {
            if try existingFile(fileName, storing: name, in: open) == .damaged {
                try directory.quarantine(fileName, in: open)
                return false
            }
        } catch .insecure {
            // A link or a pipe is deleted like a file. The link was not followed, and the pipe was
            // not read.
        }
        try directory.unlink(fileName, in: open)
        return true
    }

    /// Whether the file `fileName` exists and whether it is damaged. Throws if a newer version
    /// wrote it, or if it does not store `name`, because then it must not be replaced.
    private func existingFile(
        _ fileName: String,
        storing name: [UInt8]?,
        in open: borrowing Descriptor
    ) throws(StoreError.Reason) -> ExistingFile {
        do {
            let maximum = Self.maximumFileSize
            let result: Void? = try directory.read(fileName, in: open, maximum: maximum) {
                file,
                status throws(StoreError.Reason) in
                try SnapshotFormat.check(file, status, name: name)
            }
            return result == nil ? .absent : .intact
        } catch .damaged, .system("read", EIO) {
            return .damaged
        }
    }
}

extension FileSnapshotStore {
    /// See ``SnapshotStore/tail(of:after:)``. This call does not count as a use of the snapshot.
    public func tail(
        of name: String,
        after position: SnapshotPosition?
    ) throws(StoreError) -> SnapshotTail? {
        let file = Self.file(name)
        let tail =
            try directory.reading(file, for: .load) { open throws(StoreError.Reason) in
                try readTail(of: file, after: position, in: open)
            } ?? nil
        return isFresh(tail?.savedAt) ? tail : nil
    }

    /// See ``SnapshotStore/append(_:to:at:savedAt:)``.
    ///
    /// - Throws: `tooLarge` if the snapshot alone would exceed the limit of a cache, or an error of
    ///   ``SnapshotStore/append(_:to:at:savedAt:)``.
    public func append(
        _ record: [UInt8],
        to name: String,
        at position: SnapshotPosition,
        savedAt: Timestamp
    ) throws(StoreError) -> SnapshotPosition? {
        let file = Self.file(name)
        let new = try directory.writingExisting(file, for: .append) {
            open throws(StoreError.Reason) -> SnapshotPosition? in
            let tail = try readTail(of: file, after: position, in: open)
            guard let tail, !tail.isWhole, tail.records.isEmpty else { return nil }
            var new = position
            let bytes = RecordFormat.encode(record, savedAt: savedAt, at: &new)
            guard bytes.count <= Snapshot.maximumPayloadSize - tail.payloadSize - tail.recordsSize
            else { throw .tooLarge(maximum: Snapshot.maximumPayloadSize) }
            if let limits, new.end > limits.bytes { throw .tooLarge(maximum: limits.bytes) }
            try write(bytes, at: position.end, of: file, in: open)
            evictIfNecessary(afterWriting: bytes.count, to: file, in: open)
            return new
        }
        return new ?? nil
    }

    /// Durably writes an encoded record. If this throws, the record is removed, with two exceptions: if
    /// the `fdatasync` failed, a crash may restore the record, and if the `fsync` of the directory
    /// failed, the record remains.
    private func write(
        _ bytes: [UInt8],
        at end: Int,
        of file: StoreFile,
        in open: borrowing Descriptor
    ) throws(StoreError.Reason) {
        let opened = try Descriptor(openAt: open, file.description, O_WRONLY)
        do {
            // Nothing that follows the last valid record is a part of the snapshot.
            if try opened.status().st_size > end { try opened.truncate(to: end) }
            try opened.writeAll(bytes[...], at: end)
            try opened.synchronizeData()
        } catch {
            try? opened.truncate(to: end)
            throw error
        }
        // The process that created the file may have died before its entry was durable.
        try open.synchronize()
    }

    private func readTail(
        of file: StoreFile,
        after position: SnapshotPosition?,
        in open: borrowing Descriptor
    ) throws(StoreError.Reason) -> SnapshotTail? {
        let (name, maximum) = (file.description, Self.maximumFileSize)
        return try directory.read(name, in: open, maximum: maximum) {
            opened,
            status throws(StoreError.Reason) in
            let properties = try SnapshotFormat.readProperties(opened, status)
            guard properties.name == file.storedName else { throw .nameCollision }
            let size = Int(status.st_size)
            var start = properties.position
            var savedAt = properties.savedAt
            var isWhole = true
            if let position, let time = try Self.arrival(of: position, in: opened, properties, size)
            {
                (start, savedAt, isWhole) = (position, time, false)
            }
            let contents = try SnapshotFormat.readRecords(opened, after: start, size: size)
            return SnapshotTail(
                metadata: properties.metadata,
                savedAt: contents.savedAt ?? savedAt,
                records: contents.records,
                isWhole: isWhole,
                position: contents.position,
                payloadSize: properties.payloadLength,
                recordsSize: contents.position.end - properties.position.end
            )
        }
    }

    /// When the snapshot got to `position`; nil if it was never there, or has been replaced since.
    private static func arrival(
        of position: SnapshotPosition,
        in file: borrowing Descriptor,
        _ properties: SnapshotFormat.Properties,
        _ size: Int
    ) throws(StoreError.Reason) -> Timestamp? {
        if position == properties.position { return properties.savedAt }
        let length = RecordFormat.End.length
        guard position.end <= size, position.end >= properties.position.end + length else {
            return nil
        }
        let bytes = try file.read(length, at: position.end - length)
        // The file may have become shorter meanwhile.
        guard bytes.count == length else { return nil }
        let end = RecordFormat.End(bytes[...])
        return end.state == position.state ? end.savedAt : nil
    }
}

extension FileSnapshotStore {
    /// Reports the changes of the store, by this process or any other. Creates the directory if it
    /// is missing.
    ///
    /// Every change that happens after this function has returned is reported, except for those of
    /// other computers on a network file system. A report may be late, so load the snapshot to see
    /// its current value.
    ///
    /// If the directory is deleted or moved, this reports `unknown`, and then the changes of the
    /// directory that is created at its path.
    ///
    /// - Parameter onChange: Receives each change, on a thread of its own.
    /// - Returns: The watch, which ends when it is released.
    /// - Throws: `insecure`, or `system`, for example if the user has too many inotify instances.
    public func watch(
        _ onChange: @escaping @Sendable (SnapshotChange) -> Void
    ) throws(StoreError) -> SnapshotWatch {
        do {
            _ = try directory.open(creating: true)
            return try SnapshotWatch(directory: directory.path) { event in
                switch event {
                case .replaced(let file):
                    if let change = self.replacement(file) { onChange(change) }
                case .removed(let file):
                    if let change = self.removal(file) { onChange(change) }
                case .unknown: onChange(.unknown)
                }
            }
        } catch {
            throw StoreError(.watch, path: directory.path, error)
        }
    }

    /// The changes of the store from now on. See ``watch(_:)``.
    ///
    /// - Returns: A sequence in which up to 1,024 changes wait for their reader. If there are more,
    ///   the oldest are dropped and `unknown` follows. The watch ends with the sequence and its
    ///   iterators.
    /// - Throws: The errors of ``watch(_:)``.
    public func changes() throws(StoreError) -> AsyncStream<SnapshotChange> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: SnapshotChange.self,
            bufferingPolicy: .bufferingNewest(1_024)
        )
        let watch = try watch { change in
            if case .dropped = continuation.yield(change) { continuation.yield(.unknown) }
        }
        continuation.onTermination = { _ in withExtendedLifetime(watch) {} }
        return stream
    }

    private func replacement(_ file: String) -> SnapshotChange? {
        if let name = StoreFile.name(of: file, suffix: Self.suffix) { return .replaced(name) }
        guard StoreFile.hasStoredName(file, suffix: Self.suffix) else { return nil }
        guard let name = try? storedName(of: file) else { return .unknown }
        return .replaced(name)
    }

    private func storedName(of file: String) throws(StoreError) -> String? {
        try directory.reading(nil, for: .watch) { open throws(StoreError.Reason) in
            try name(of: file, in: open)
        } ?? nil
    }

    private func removal(_ file: String) -> SnapshotChange? {
        if let name = StoreFile.name(of: file, suffix: Self.suffix) { return .removed(name) }
        return StoreFile.hasStoredName(file, suffix: Self.suffix) ? .unknown : nil
    }
}
