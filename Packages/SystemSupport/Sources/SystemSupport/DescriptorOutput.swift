import Glibc

/// Writes whole buffers to file descriptors. `write(2)` may write less than it was given.
public enum DescriptorOutput {
    /// Writes all of `bytes`; repeats a write that a signal interrupts, and waits if a non-blocking
    /// descriptor is full.
    ///
    /// - Throws: The error of the first write that fails. Some bytes may have been written.
    public static func writeAll(
        _ bytes: RawSpan,
        to descriptor: Int32
    ) throws(SystemError) {
        try writeAll(bytes, to: descriptor) { rest, _ in
            write(descriptor, rest.baseAddress, rest.count)
        }
    }

    /// Writes all of `bytes` to a file, starting at `offset` bytes from its beginning; the file's
    /// position stays.
    ///
    /// - Throws: The error of the first write that fails. Some bytes may have been written.
    public static func writeAll(
        _ bytes: RawSpan,
        to descriptor: Int32,
        at offset: Int
    ) throws(SystemError) {
        try writeAll(bytes, to: descriptor) { rest, written in
            pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset + written))
        }
    }

    /// Calls `write` with the rest of `bytes`, and with how many were written before, until nothing
    /// remains.
    private static func writeAll(
        _ bytes: RawSpan,
        to descriptor: Int32,
        _ write: (_ rest: UnsafeRawBufferPointer, _ written: Int) -> Int
    ) throws(SystemError) {
        var written = 0
        while written < bytes.byteCount {
            let count = bytes.extracting(written...).withUnsafeBytes { write($0, written) }
            if count > 0 {
                written += count
            } else if count == 0 {
                // POSIX leaves open what this means; trying again could go on forever.
                throw SystemError(code: EIO)
            } else if errno != EINTR, errno != EAGAIN || !waitUntilWritable(descriptor) {
                throw .current
            }
        }
    }

    /// Whether it makes sense to write again; false with `errno` set if the wait fails.
    private static func waitUntilWritable(_ descriptor: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return poll(&entry, 1, -1) > 0 || errno == EINTR
    }
}
