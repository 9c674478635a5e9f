import Glibc
import SystemSupport

/// An open file that is uploaded.
final class UploadFile: Sendable {
    private static let chunkSize = 256 << 10

    /// The size when the file was opened.
    let size: Int
    private let descriptor: Int32

    init(_ path: String) throws(HTTPClientError) {
        // Without O_NONBLOCK, opening a named pipe would wait for its writer.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        var status = stat()
        guard descriptor >= 0, fstat(descriptor, &status) == 0 else {
            let error = SystemError(code: errno)
            close(descriptor)
            throw HTTPClientError(.fileFailed, detail: "\(path): \(error)")
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw HTTPClientError(.fileFailed, detail: "\(path): not a regular file")
        }
        (self.descriptor, size) = (descriptor, Int(status.st_size))
    }

    deinit { close(descriptor) }

    /// The next bytes, but not more than the initial size of the file; empty at its end.
    func read(at offset: Int) throws(SystemError) -> [UInt8] {
        let count = min(Self.chunkSize, size - offset)
        var failure: SystemError?
        let chunk = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            var result = -1
            repeat {
                result = pread(descriptor, buffer.baseAddress, count, off_t(offset))
            } while result < 0 && errno == EINTR
            if result < 0 { failure = SystemError(code: errno) }
            initialized = max(result, 0)
        }
        if let failure { throw failure }
        return chunk
    }
}
