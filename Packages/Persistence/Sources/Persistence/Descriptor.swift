import Glibc
import NovaBlendFileCalls
import SystemSupport

/// An open file descriptor that is closed with its last owner.
///
/// A system call that a signal interrupts is repeated, except `fsync` and `fdatasync`: after a failure,
/// the kernel may have dropped what it could not write.
struct Descriptor: ~Copyable {
    /// `O_PATH`, which glibc's headers hide from Swift: opens a directory that need not be
    /// readable, or a symbolic link itself.
    static let pathOnly: Int32 = 0o10_000_000

    let raw: Int32

    private init(raw: Int32) { self.raw = raw }

    /// Opens `name`, a single path component, in `directory`. Does not follow a symbolic link.
    init(
        openAt directory: borrowing Descriptor,
        _ name: String,
        _ flags: Int32,
        mode: mode_t = 0
    ) throws(StoreError.Reason) {
        let base = directory.raw
        do {
            raw = try Self.call("openat") {
                openat(base, name.systemBytes, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, mode)
            }
        } catch .system(_, ELOOP) {
            throw .insecure("it is a symbolic link")
        } catch .system(_, ENXIO) {
            throw .insecure("it is not a regular file")
        }
    }

    /// Opens the directory at the absolute `path` with `openat2`. Fails if any component is a
    /// symbolic link, or if the system lacks `openat2`.
    init(directoryWithoutLinks path: String) throws(StoreError.Reason) {
        raw = try Self.call("openat2") { nb_open_directory_without_links(path.systemBytes) }
    }

    static func root() throws(StoreError.Reason) -> Descriptor {
        Descriptor(raw: try call("open") { open("/", pathOnly | O_DIRECTORY | O_CLOEXEC) })
    }

    deinit { close(raw) }

    /// Makes the system call `name`, and repeats it while a signal interrupts it.
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

    /// The status of the file at `path`, relative to this directory. Does not follow a symbolic
    /// link at its end.
    func status(of path: String) throws(StoreError.Reason) -> stat {
        var status = stat()
        try Self.call("fstatat") { fstatat(raw, path.systemBytes, &status, AT_SYMLINK_NOFOLLOW) }
        return status
    }

    /// Sets the access time to now, unless the system does not allow it.
    func setAccessTime() {
        // UTIME_NOW and UTIME_OMIT, which glibc's headers hide from Swift.
        var times = [(1 << 30) - 1, (1 << 30) - 2].map { timespec(tv_sec: 0, tv_nsec: $0) }
        futimens(raw, &times)
    }

    /// Makes the file durable with `fsync`.
    func synchronize() throws(StoreError.Reason) {
        guard fsync(raw) == 0 else { throw .system(call: "fsync", errno: errno) }
    }

    /// Makes the file durable except for its times, with `fdatasync`.
    func synchronizeData() throws(StoreError.Reason) {
        guard fdatasync(raw) == 0 else { throw .system(call: "fdatasync", errno: errno) }
    }

    func truncate(to length: Int) throws(StoreError.Reason) {
        try Self.call("ftruncate") { ftruncate(raw, off_t(length)) }
    }

    /// Asks the kernel to start writing the range to the disk. This makes nothing durable.
    func startWriting(_ range: Range<Int>) {
        nb_start_writing(raw, Int64(range.lowerBound), Int64(range.count))
    }

    /// `length` bytes from `start`, or fewer if the file ends earlier.
    func read(_ length: Int, at start: Int = 0) throws(StoreError.Reason) -> [UInt8] {
        // An array with capacity 0 shares its storage with all empty arrays, and the initializer
        // below would write to it.
        if length == 0 { return [] }
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
            // With small pages, page faults in a large buffer take longer than reading the file. A
            // system without huge pages ignores this.
            if length >= 4 << 20, let start = buffer.baseAddress {
                let shift = -Int(bitPattern: start) & (Int(sysconf(Int32(_SC_PAGESIZE))) - 1)
                madvise(start + shift, length - shift, MADV_HUGEPAGE)
            }
            while count < length {
                let base = buffer.baseAddress?.advanced(by: count)
                let result = pread(raw, base, length - count, off_t(start + count))
                if result > 0 { count += result; continue }
                if result < 0, errno == EINTR { continue }
                if result < 0 { failure = errno }
                return
            }
        }
        guard failure == 0 else { throw .system(call: "read", errno: failure) }
        return bytes
    }

    /// The target of the symbolic link that this descriptor refers to.
    func linkTarget() throws(StoreError.Reason) -> String {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlinkat(raw, "", &buffer, buffer.count)
        guard count >= 0 else { throw .system(call: "readlinkat", errno: errno) }
        return String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Writes all of `bytes` at the offset `start`.
    func writeAll(_ bytes: ArraySlice<UInt8>, at start: Int) throws(StoreError.Reason) {
        do {
            try DescriptorOutput.writeAll(bytes.span.bytes, to: raw, at: start)
        } catch {
            throw .system(call: "write", errno: error.code)
        }
    }
}
