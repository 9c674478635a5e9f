import Glibc

/// The format of the field `Date` (RFC 9110, section 5.6.7).
enum HTTPDate {
    /// The current time, such as `Sun, 06 Nov 1994 08:49:37 GMT`.
    static var now: String {
        var (seconds, parts) = (time(nil), tm())
        gmtime_r(&seconds, &parts)
        // The program never leaves the C locale, so the names are English.
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
            guard let start = buffer.baseAddress else { return "" }
            let length = strftime(start, buffer.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)
            return String(decoding: UnsafeRawBufferPointer(buffer).prefix(length), as: UTF8.self)
        }
    }
}
