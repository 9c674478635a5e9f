import Glibc

/// A counter in a file, shared by all processes that use the directory.
///
/// The number survives the crash of a process, because the file is in the kernel's page cache, but
/// it is not durable: after a crash of the machine, the counter may continue from an earlier
/// number. This does no harm, because no process that read a later number survives that crash.
public final class FileCounter: Sendable {
    private let directory: StoreDirectory
    private let file: StoreFile
    private static let length = MemoryLayout<UInt64>.size

    /// Creates a counter in the file `NAME.counter`. The first ``advance()`` creates the file and
    /// the missing directories, which are those of a ``FileSnapshotStore``.
    ///
    /// - Parameters:
    ///   - directory: An absolute path.
    ///   - subdirectory: The relative path of the counter's directory below `directory`.
    ///   - name: The name of the counter. It is escaped into the file name, where it may have up to
    ///     200 bytes.
    public init(directory: String, subdirectory: String? = nil, name: String) {
        self.directory = StoreDirectory(path: directory, subdirectory: subdirectory)
        file = StoreFile(name, suffix: ".counter")
    }

    /// The current number; 0 before the first ``advance()``.
    ///
    /// - Throws: `insecure`, `nameTooLong`, or `system`.
    public func value() throws(StoreError) -> UInt64 {
        try directory.reading(file, for: .load) { directory throws(StoreError.Reason) in
            try current(in: directory)
        } ?? 0
    }

    /// Adds 1.
    ///
    /// - Returns: The sum. No two calls, in any process, return the same number, unless the machine
    ///   crashes between them.
    /// - Throws: `insecure`, `nameTooLong`, or `system`.
    @discardableResult
    public func advance() throws(StoreError) -> UInt64 {
        try directory.writing(file, for: .replace) { directory throws(StoreError.Reason) in
            let sum = try current(in: directory) &+ 1
            let (name, flags) = (file.description, O_WRONLY | O_CREAT)
            let file = try Descriptor(openAt: directory, name, flags, mode: 0o600)
            let bytes = withUnsafeBytes(of: sum.littleEndian) { Array($0) }
            // A single system call writes the number, so a reader finds the old or the new one.
            try file.writeAll(bytes[...], at: 0)
            return sum
        }
    }

    private func current(
        in directory: borrowing Descriptor
    ) throws(StoreError.Reason) -> UInt64 {
        let number = try self.directory.read(file.description, in: directory, maximum: .max) {
            file,
            status throws(StoreError.Reason) in
            // A truncated file counts as a missing one.
            guard status.st_size >= Self.length else { return UInt64(0) }
            return try file.read(Self.length).littleEndian(at: 0, as: UInt64.self)
        }
        return number ?? 0
    }
}
