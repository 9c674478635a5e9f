import Glibc

extension Descriptor {
    /// `length` bytes from `start`, fewer where the file ends before.
    func read(_ length: Int, at start: Int = 0) throws(StoreError.Reason) -> [UInt8] {
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
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

    /// Where a symbolic link that was opened as such leads.
    func linkTarget() throws(StoreError.Reason) -> String {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlinkat(raw, "", &buffer, buffer.count)
        guard count >= 0 else { throw .system(call: "readlinkat", errno: errno) }
        return String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
