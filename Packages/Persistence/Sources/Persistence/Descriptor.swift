import Glibc

/// An open file descriptor that is closed with its last owner.
///
/// Each operation is one system call, repeated when a signal interrupts it; an `fsync` that failed
/// is never repeated, since the kernel may have dropped what it could not write.
struct Descriptor: ~Copyable {
    let raw: Int32

    init(open path: String, _ flags: Int32) throws(StoreError.Reason) {
        raw = try Self.call("open") { Glibc.open(path, flags | O_CLOEXEC) }
    }

    init(
        openAt directory: borrowing Descriptor,
        _ name: String,
        _ flags: Int32,
        mode: mode_t = 0
    ) throws(StoreError.Reason) {
        let base = directory.raw
        raw = try Self.call("openat") {
            openat(base, name, flags | O_NOFOLLOW | O_CLOEXEC, mode)
        }
    }

    deinit { close(raw) }

    static func call(
        _ name: String,
        _ body: () -> Int32
    ) throws(StoreError.Reason) -> Int32 {
        while true {
            let result = body()
            if result >= 0 { return result }
            if errno != EINTR { throw .system(call: name, errno: errno) }
        }
    }

    func status() throws(StoreError.Reason) -> stat {
        var status = stat()
        _ = try Self.call("fstat") { fstat(raw, &status) }
        return status
    }

    func lockExclusively() throws(StoreError.Reason) {
        _ = try Self.call("flock") { flock(raw, LOCK_EX) }
    }

    func synchronize() throws(StoreError.Reason) {
        guard fsync(raw) == 0 else { throw .system(call: "fsync", errno: errno) }
    }

    func truncate(to length: Int) throws(StoreError.Reason) {
        _ = try Self.call("ftruncate") { ftruncate(raw, off_t(length)) }
    }

    func writeAll(_ bytes: [UInt8], at start: Int = 0) throws(StoreError.Reason) {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                pwrite(
                    raw,
                    buffer.baseAddress?.advanced(by: written),
                    buffer.count - written,
                    off_t(start + written)
                )
            }
            if count > 0 {
                written += count
            } else if count == 0 || errno != EINTR {
                throw .system(call: "write", errno: count == 0 ? EIO : errno)
            }
        }
    }

    /// Reads the whole file, which has `size` bytes; fewer when it shrank meanwhile.
    func readAll(size: Int) throws(StoreError.Reason) -> [UInt8] {
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            while count < size {
                let base = buffer.baseAddress?.advanced(by: count)
                let got = pread(raw, base, size - count, off_t(count))
                if got > 0 { count += got; continue }
                if got < 0, errno == EINTR { continue }
                if got < 0 { failure = errno }
                return
            }
        }
        guard failure == 0 else { throw .system(call: "read", errno: failure) }
        return bytes
    }
}
