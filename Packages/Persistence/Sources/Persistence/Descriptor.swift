import Glibc
import NovaBlendFileCalls
import SystemSupport

/// An open file descriptor that is closed with its last owner.
///
/// Each operation is one system call, repeated if a signal interrupts it. A failed `fsync` is never
/// repeated, because the kernel may have dropped what it could not write.
struct Descriptor: ~Copyable {
    /// `O_PATH`, which glibc's headers hide from Swift: a location in the tree that need not be readable.
    static let path: Int32 = 0o10_000_000

    let raw: Int32

    private init(raw: Int32) { self.raw = raw }

    /// Opens `name`, one component, in `directory`. A symbolic link is not followed.
    init(
        openAt directory: borrowing Descriptor,
        _ name: String,
        _ flags: Int32,
        mode: mode_t = 0
    ) throws(StoreError.Reason) {
        let base = directory.raw
        do throws(StoreError.Reason) {
            raw = try Self.call("openat") {
                openat(base, name, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, mode)
            }
        } catch .system(_, ELOOP) {
            throw .insecure("it is a symbolic link")
        } catch .system(_, ENXIO) {
            throw .insecure("it is no regular file")
        } catch {
            throw error
        }
    }

    /// Opens the directory at the absolute `path` in one call. Fails if any component is a symbolic
    /// link, or if the system lacks the call.
    init(directoryWithoutLinks path: String) throws(StoreError.Reason) {
        raw = try Self.call("openat2") { nb_open_directory_without_links(path) }
    }

    static func root() throws(StoreError.Reason) -> Descriptor {
        Descriptor(raw: try call("open") { open("/", path | O_DIRECTORY | O_CLOEXEC) })
    }

    deinit { close(raw) }

    @discardableResult
    static func call(_ name: String, _ body: () -> Int32) throws(StoreError.Reason) -> Int32 {
        while true {
            let result = body()
            if result >= 0 { return result }
            if errno != EINTR { throw .system(call: name, errno: errno) }
        }
    }

    func status() throws(StoreError.Reason) -> stat {
        var status = stat()
        try Self.call("fstat") { fstat(raw, &status) }
        return status
    }

    /// The status of the directory at `path` from this one.
    func status(of path: String) throws(StoreError.Reason) -> stat {
        var status = stat()
        try Self.call("fstatat") { fstatat(raw, path, &status, 0) }
        return status
    }

    func synchronize() throws(StoreError.Reason) {
        guard fsync(raw) == 0 else { throw .system(call: "fsync", errno: errno) }
    }

    /// Like ``synchronize()``, except for the file's times.
    func synchronizeData() throws(StoreError.Reason) {
        guard fdatasync(raw) == 0 else { throw .system(call: "fdatasync", errno: errno) }
    }

    func truncate(to length: Int) throws(StoreError.Reason) {
        try Self.call("ftruncate") { ftruncate(raw, off_t(length)) }
    }

    /// Starts writing the range to the disk. This makes nothing durable.
    func startWriting(_ range: Range<Int>) {
        nb_start_writing(raw, Int64(range.lowerBound), Int64(range.count))
    }

    /// `length` bytes from `start`, or fewer if the file ends earlier.
    func read(_ length: Int, at start: Int = 0) throws(StoreError.Reason) -> [UInt8] {
        // The initializer below would write a count of 0 to the empty array that all threads share.
        if length == 0 { return [] }
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
            // Huge pages: faulting in a large buffer page by page takes longer than reading the file.
            // A system without huge pages ignores this.
            if length >= 4 << 20, let start = buffer.baseAddress {
                let shift = -Int(bitPattern: start) & (Int(sysconf(Int32(_SC_PAGESIZE))) - 1)
                madvise(start + shift, length - shift, MADV_HUGEPAGE)
            }
            while count < length {
                let base = buffer.baseAddress?.advanced(by: count)
                let got = pread(raw, base, length - count, off_t(start + count))
                if got > 0 { count += got; continue }
                if got < 0, errno == EINTR { continue }
                if got < 0 { failure = errno }
                return
            }
        }
        guard failure == 0 else { throw .system(call: "read", errno: failure) }
        return bytes
    }

    /// The target of a symbolic link that was opened itself.
    func linkTarget() throws(StoreError.Reason) -> String {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlinkat(raw, "", &buffer, buffer.count)
        guard count >= 0 else { throw .system(call: "readlinkat", errno: errno) }
        return String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    func writeAll(_ bytes: ArraySlice<UInt8>, at start: Int) throws(StoreError.Reason) {
        do throws(SystemError) {
            try DescriptorOutput.writeAll(bytes.span.bytes, to: raw, at: start)
        } catch {
            throw .system(call: "write", errno: error.code)
        }
    }
}
