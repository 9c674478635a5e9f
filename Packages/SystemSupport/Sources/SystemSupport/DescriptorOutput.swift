import Glibc

/// Writes whole buffers to file descriptors. `write(2)` itself may write only a part of a buffer.
public enum DescriptorOutput {
    /// Writes all of `bytes`. Repeats a write that a signal interrupts, and waits if a non-blocking
    /// descriptor is not ready.
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

    /// Writes all of `bytes` to a file, `offset` bytes from its beginning. Does not change the
    /// descriptor's position.
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

    /// Calls `write` with the remaining bytes, and with the number of bytes written so far, until
    /// no bytes remain.
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
                // POSIX does not define this case. Trying again might never end.
                throw SystemError(code: EIO)
            } else if errno != EINTR, errno != EAGAIN || !waitUntilWritable(descriptor) {
                throw .current
            }
        }
    }

    /// Waits until `descriptor` is writable. Returns false, with `errno` set, if the wait fails.
    private static func waitUntilWritable(_ descriptor: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return poll(&entry, 1, -1) > 0 || errno == EINTR
    }
}
