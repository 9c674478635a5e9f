import Glibc
import Synchronization

/// A store that limits the age of its snapshots, and their number and total size.
///
/// A write that exceeds a limit deletes the least recently used snapshots. The time of a use is the
/// later of the write and the access time of the file, which a load sets at most once per minute.
/// This is therefore approximately LRU.
///
/// Several processes may share the directory. Each process looks at all files after it has written
/// a sixteenth of a limit, and on its first write. So the limits hold after each write of a single
/// process; each further process may exceed them by a sixteenth and the snapshot that it is writing.
/// A program that was killed leaves nothing inconsistent: there is no index.
///
/// A write is as durable as that of a ``FileSnapshotStore``, and takes at least as long. To follow the
/// changes of a cache, use ``FileSnapshotStore/changes()`` of a store with the same directory. Do not
/// write data that must not be lost to that directory. A deletion does not look into the file, so it
/// also deletes damaged snapshots and newer formats.
public final class FileCache: SnapshotStore {
    /// What a cache may contain. The default has no limits.
    public struct Limits: Sendable, Hashable {
        /// The maximum size of all files, in bytes. A file is slightly larger than its snapshot,
        /// and takes up a multiple of the file system's block size on the disk.
        public var bytes: Int
        /// The maximum number of snapshots. A quarantined file counts, too.
        public var count: Int
        /// The age in seconds, counted from ``Snapshot/savedAt``, from which a snapshot counts as
        /// missing; nil for none. So does a snapshot from the future. A later write deletes the
        /// file once the file itself has reached this age.
        public var age: Int64?

        /// Creates limits.
        ///
        /// - Parameters:
        ///   - bytes: The maximum size of all files, in bytes.
        ///   - count: The maximum number of snapshots.
        ///   - age: The age in seconds from which a snapshot counts as missing; nil for none.
        public init(bytes: Int = .max, count: Int = .max, age: Int64? = nil) {
            (self.bytes, self.count, self.age) = (bytes, count, age)
        }
    }

    /// What this process has written since it last looked at all files.
    private struct Written {
        var bytes = 0
        var count = 0
    }

    private let files: FileSnapshotStore
    private let limits: Limits
    private let now: @Sendable () -> Int64
    /// Nil before this process has looked at all files.
    private let written = Mutex<Written?>(nil)

    /// Creates a cache. The first write creates the missing directories, which are those of a
    /// ``FileSnapshotStore``.
    ///
    /// - Parameters:
    ///   - directory: An absolute path.
    ///   - subdirectory: The relative path of the cache's directory below `directory`.
    ///   - limits: What the cache may contain. Every process should use the same limits.
    public convenience init(directory: String, subdirectory: String? = nil, limits: Limits) {
        self.init(directory: directory, subdirectory: subdirectory, limits: limits) {
            Int64(time(nil))
        }
    }

    /// `now` returns the current time in seconds since 1970-01-01T00:00:00Z.
    init(
        directory: String,
        subdirectory: String? = nil,
        limits: Limits,
        now: @escaping @Sendable () -> Int64
    ) {
        files = FileSnapshotStore(directory: directory, subdirectory: subdirectory)
        self.limits = limits
        self.now = now
    }

    /// See ``SnapshotStore/load(_:)``. An expired snapshot is a missing one.
    public func load(_ name: String) throws(StoreError) -> Snapshot? {
        let snapshot = try files.loadRecordingUse(name)
        return isFresh(snapshot?.savedAt) ? snapshot : nil
    }

    /// See ``SnapshotStore/tail(of:after:)``. This does not count as a use.
    public func tail(
        of name: String,
        after position: SnapshotPosition?
    ) throws(StoreError) -> SnapshotTail? {
        let tail = try files.tail(of: name, after: position)
        return isFresh(tail?.savedAt) ? tail : nil
    }

    /// See ``SnapshotStore/append(_:to:at:savedAt:)``.
    ///
    /// - Throws: Also `tooLarge` if the snapshot alone would exceed the limit.
    public func append(
        _ record: [UInt8],
        to name: String,
        at position: SnapshotPosition,
        savedAt: Int64
    ) throws(StoreError) -> SnapshotPosition? {
        try files.append(
            record,
            to: name,
            at: position,
            savedAt: savedAt,
            maximum: limits.bytes
        ) { open in
            let size = RecordFormat.length(of: record)
            evictIfNecessary(afterWriting: size, as: name, in: open)
        }
    }

    /// See ``SnapshotStore/replace(_:with:if:)``.
    ///
    /// - Throws: Also `tooLarge` if the snapshot alone exceeds the limit.
    public func replace(
        _ name: String,
        with snapshot: Snapshot,
        if condition: () -> Bool
    ) throws(StoreError) -> Bool {
        let size = try checkedSize(of: snapshot, name)
        return try files.replace(name, with: snapshot, if: condition) { open in
            evictIfNecessary(afterWriting: size, as: name, in: open)
        }
    }

    /// See ``SnapshotStore/update(_:_:)``. `change` receives nil for an expired snapshot.
    public func update(_ name: String, _ change: (Snapshot?) -> Snapshot?) throws(StoreError) {
        var size = 0
        var failure: StoreError?
        try files.update(name) { current in
            guard let changed = change(isFresh(current?.savedAt) ? current : nil) else {
                return nil
            }
            do throws(StoreError) {
                size = try checkedSize(of: changed, name)
                return changed
            } catch {
                failure = error
                return nil
            }
        } completion: { open in
            evictIfNecessary(afterWriting: size, as: name, in: open)
        }
        if let failure { throw failure }
    }

    /// See ``SnapshotStore/remove(_:)``.
    public func remove(_ name: String) throws(StoreError) { try files.remove(name) }

    /// See ``SnapshotStore/removeAll()``.
    public func removeAll() throws(StoreError) { try files.removeAll() }

    /// See ``SnapshotStore/names()``. An expired snapshot is listed until it is deleted.
    public func names() throws(StoreError) -> [String] { try files.names() }

    /// The number of snapshots and the size of their files in bytes, without quarantined files.
    /// Expired snapshots count until they are deleted.
    public func usage() throws(StoreError) -> (count: Int, bytes: Int) { try files.usage() }

    private func isFresh(_ savedAt: Int64?) -> Bool {
        guard let age = limits.age, let savedAt else { return true }
        let now = now()
        let (seconds, isTooOld) = now.subtractingReportingOverflow(savedAt)
        return savedAt <= now && !isTooOld && seconds < age
    }

    private func checkedSize(of snapshot: Snapshot, _ name: String) throws(StoreError) -> Int {
        let storedName = FileSnapshotStore.file(name).storedName
        let size =
            SnapshotFormat.headerLength + storedName.count + snapshot.metadata.count + snapshot.size
        guard size <= limits.bytes else {
            throw StoreError(.replace, path: name, .tooLarge(maximum: limits.bytes))
        }
        return size
    }

    /// Deletes files if this process has written enough since the last time that a limit may be
    /// exceeded. The snapshot is already durable, so a failure is not reported; the next write
    /// tries again.
    private func evictIfNecessary(
        afterWriting size: Int,
        as name: String,
        in open: borrowing Descriptor
    ) {
        let slack = (bytes: limits.bytes / 16, count: limits.count / 16)
        let isNecessary = written.withLock { written in
            if var total = written {
                total.bytes += size
                total.count += 1
                written = total
                if total.bytes <= slack.bytes, total.count <= slack.count { return false }
            }
            written = Written()
            return true
        }
        guard isNecessary else { return }
        let maximum = (bytes: limits.bytes - slack.bytes, count: limits.count - slack.count)
        let expiry = limits.age.map { Int(clamping: now() &- $0) } ?? .min
        do throws(StoreError.Reason) {
            let remaining = try files.evict(
                exceeding: maximum,
                writtenBefore: expiry,
                except: name,
                in: open
            )
            // More than the maximum remains if the new snapshot alone exceeds it.
            written.withLock { $0?.bytes += max(0, remaining.bytes - maximum.bytes) }
        } catch {
            written.withLock { $0 = nil }
        }
    }
}
