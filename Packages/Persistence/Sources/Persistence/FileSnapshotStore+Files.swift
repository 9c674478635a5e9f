import Glibc

extension FileSnapshotStore {
    /// What is kept under `name`; nil when nothing is.
    func current(
        _ name: String,
        in directory: borrowing Descriptor
    ) throws(StoreError.Reason) -> Snapshot? {
        try self.directory.read(
            Self.file(name),
            in: directory,
            maximum: Self.largestFile,
            SnapshotFormat.read
        )
    }

    /// Writes `snapshot`, and puts a file that `isDamaged` told aside.
    func write(
        _ snapshot: Snapshot,
        as name: String,
        settingAside: Bool,
        in directory: borrowing Descriptor
    ) throws(StoreError.Reason) {
        try self.directory.replace(
            Self.file(name),
            with: [SnapshotFormat.header(of: snapshot), snapshot.metadata, snapshot.payload],
            settingAside: settingAside,
            in: directory
        )
    }

    /// Deletes what is kept, or puts it aside when it is damaged.
    func delete(
        _ name: String,
        in directory: borrowing Descriptor
    ) throws(StoreError.Reason) {
        do throws(StoreError.Reason) {
            if try isDamaged(name, in: directory) {
                return try self.directory.setAside(Self.file(name), in: directory)
            }
        } catch .insecure {
            // A link or a pipe goes like a file: nothing of it was read, and nothing is followed.
        } catch {
            throw error
        }
        try self.directory.remove(Self.file(name), in: directory)
    }

    /// Whether what is kept cannot be read, and is to be put aside. Throws where a newer version
    /// wrote it: that is not ours to replace.
    func isDamaged(
        _ name: String,
        in directory: borrowing Descriptor
    ) throws(StoreError.Reason) -> Bool {
        do throws(StoreError.Reason) {
            _ = try self.directory.read(
                Self.file(name),
                in: directory,
                maximum: Self.largestFile,
                SnapshotFormat.check
            )
            return false
        } catch .damaged {
            return true
        } catch .system("read", EIO) {
            return true
        } catch {
            throw error
        }
    }
}
