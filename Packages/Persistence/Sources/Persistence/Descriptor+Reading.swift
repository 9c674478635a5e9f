import Glibc

extension Descriptor {
    /// `length` bytes from `start`, or fewer if the file ends earlier.
    func read(_ length: Int, at start: Int = 0) throws(StoreError.Reason) -> [UInt8] {
        // The initializer below would write a count of 0 to the empty array that all threads share.
        if length == 0 { return [] }
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
            Self.prepare(buffer)
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

    /// Requests huge pages for a large buffer: faulting it in page by page takes longer than reading the
    /// file. A system without huge pages ignores this.
    private static func prepare(_ buffer: UnsafeMutableBufferPointer<UInt8>) {
        guard buffer.count >= 4 << 20, let start = buffer.baseAddress else { return }
        let page = Int(sysconf(Int32(_SC_PAGESIZE)))
        let shift = -Int(bitPattern: start) & (page - 1)
        madvise(start + shift, buffer.count - shift, MADV_HUGEPAGE)
    }

    /// The target of a symbolic link that was opened itself.
    func linkTarget() throws(StoreError.Reason) -> String {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlinkat(raw, "", &buffer, buffer.count)
        guard count >= 0 else { throw .system(call: "readlinkat", errno: errno) }
        return String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
