import Glibc
import SystemSupport

/// The file of a download that is not finished.
///
/// The bytes of `NAME` are in `NAME.partial`. `NAME.partial.source` contains the URL and the
/// validator of these bytes; without it, they are useless. While this object exists, no other
/// download can open the same file.
final class PartialFile: Sendable {
    /// Where the bytes came from.
    struct Source: Equatable {
        let url: String
        /// The validator of the bytes, as `If-Range` takes it.
        let validator: String

        init(url: String, validator: String) { (self.url, self.validator) = (url, validator) }

        /// Creates the source of a response; nil if the response has no strong validator, so that a
        /// later request cannot continue it.
        init?(of response: HTTPResponse, url: String) {
            guard let validator = response.rangeValidator else { return nil }
            self.init(url: url, validator: validator)
        }
    }

    private static let maximumSourceBytes = 16 << 10

    private let path: String
    private let descriptor: Int32

    private var partialPath: String { Self.partialPath(path) }
    private var sourcePath: String { Self.sourcePath(path) }

    private static func partialPath(_ path: String) -> String { path + ".partial" }
    private static func sourcePath(_ path: String) -> String { path + ".partial.source" }

    /// Opens the partial file of `path`, or creates an empty one.
    init(of path: String) throws(HTTPClientError) {
        self.path = path
        descriptor = try Self.openAndLock(Self.partialPath(path))
    }

    deinit {
        // Closing the descriptor does not unlock the file while a child process has a copy of the
        // descriptor.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    private static func openAndLock(_ path: String) throws(HTTPClientError) -> Int32 {
        while true {
            let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
            let descriptor = open(path, flags, 0o666)
            guard descriptor >= 0 else { throw failure(path) }
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
                let isLocked = errno == EWOULDBLOCK
                defer { close(descriptor) }
                throw isLocked ? failure(path, "a different download is writing it") : failure(path)
            }
            // Before the file was locked, a different download may have renamed it.
            var (own, current) = (stat(), stat())
            if fstat(descriptor, &own) == 0, lstat(path, &current) == 0,
                own.st_ino == current.st_ino, own.st_dev == current.st_dev
            {
                return descriptor
            }
            close(descriptor)
        }
    }

    private static func failure(
        _ path: String,
        _ reason: String = SystemError(code: errno).description
    ) -> HTTPClientError {
        HTTPClientError(.fileFailed, detail: "\(path): \(reason)")
    }

    /// The number of bytes in the file.
    var size: Int {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
    }

    /// Where the bytes came from; nil if that is not known.
    var source: Source? {
        let file = open(sourcePath, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { close(file) }
        let text = String(unsafeUninitializedCapacity: Self.maximumSourceBytes) { buffer in
            max(read(file, buffer.baseAddress, buffer.count), 0)
        }
        // The last line is empty, unless the file was not completely written.
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count == 3, lines[2].isEmpty else { return nil }
        return Source(url: String(lines[0]), validator: String(lines[1]))
    }

    /// Deletes all bytes, and records where the next ones come from. Without a source, they cannot
    /// be continued.
    func restart(from source: Source?) throws(HTTPClientError) {
        unlink(sourcePath)
        guard ftruncate(descriptor, 0) == 0 else { throw Self.failure(partialPath) }
        guard let source else { return }
        let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW
        let file = open(sourcePath, flags, 0o666)
        guard file >= 0 else { throw Self.failure(sourcePath) }
        defer { close(file) }
        try write(
            "\(source.url)\n\(source.validator)\n".utf8.map(\.self),
            to: file,
            sourcePath,
            at: 0
        )
    }

    /// Writes bytes at a position.
    func write(_ bytes: [UInt8], at offset: Int) throws(HTTPClientError) {
        try write(bytes, to: descriptor, partialPath, at: offset)
    }

    private func write(
        _ bytes: [UInt8],
        to file: Int32,
        _ path: String,
        at offset: Int
    ) throws(HTTPClientError) {
        do {
            try DescriptorOutput.writeAll(bytes.span.bytes, to: file, at: offset)
        } catch {
            throw Self.failure(path, error.description)
        }
    }

    /// Deletes the file if it has no bytes to continue with.
    func removeIfEmpty() {
        guard size == 0 else { return }
        unlink(sourcePath)
        unlink(partialPath)
    }

    /// Gives the file its final name, after its bytes have reached the disk.
    ///
    /// Waiting for a disk must not block a thread of the concurrency pool.
    func finish() async throws(HTTPClientError) {
        let (path, descriptor) = (path, descriptor)
        let result = await withCheckedContinuation { continuation in
            // The thread may end later than the download, so it must not retain this object, which
            // locks the file.
            do {
                try SystemThread.start {
                    continuation.resume(returning: Self.syncAndRename(path, descriptor))
                }
            } catch {
                continuation.resume(returning: Self.syncAndRename(path, descriptor))
            }
        }
        try result.get()
    }

    private static func syncAndRename(
        _ path: String,
        _ descriptor: Int32
    ) -> Result<Void, HTTPClientError> {
        let (partialPath, sourcePath) = (partialPath(path), sourcePath(path))
        guard fsync(descriptor) == 0, rename(partialPath, path) == 0 else {
            return .failure(failure(path))
        }
        unlink(sourcePath)
        let end = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        let parent = end == path.startIndex ? "." : String(path[..<end])
        let directory = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        // A directory without read permission cannot be opened, so the entry of the file cannot be
        // synced.
        if directory < 0, errno == EACCES { return .success(()) }
        guard directory >= 0 else { return .failure(failure(parent)) }
        defer { close(directory) }
        return fsync(directory) == 0 ? .success(()) : .failure(failure(parent))
    }
}
