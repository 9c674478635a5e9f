import Glibc

/// Text from the system: arguments, environment variables, and paths. It is usually UTF-8, but may be
/// any bytes except 0.
///
/// Swift repairs bytes that are not UTF-8, and would then open a different file. These functions
/// represent each such byte by a private-use character (U+10FE80 to U+10FEFF) instead, so that a path
/// can be handled as text and still names the same file.
extension String {
    private static let offset: UInt32 = 0x10FE00

    private static func isByte(_ scalar: Unicode.Scalar) -> Bool {
        (offset + 0x80...offset + 0xFF).contains(scalar.value)
    }

    /// Creates text from bytes without changing them: ``systemBytes`` returns the same bytes.
    public init(systemBytes bytes: some Collection<UInt8>) {
        if let text = String(validating: bytes, as: UTF8.self), text.isUTF8 {
            self = text
            return
        }
        var rest = Array(bytes)[...]
        var scalars = String.UnicodeScalarView()
        while let byte = rest.first {
            let scalar = (1...4).lazy.compactMap { count -> Unicode.Scalar? in
                let text = String(validating: rest.prefix(count), as: UTF8.self)
                return text.flatMap { $0.unicodeScalars.count == 1 ? $0.unicodeScalars.first : nil }
            }.first
            if let scalar, !Self.isByte(scalar) {
                scalars.append(scalar)
                rest.removeFirst(UTF8.width(scalar))
            } else {
                // If the input contains one of these private-use characters, it is not copied: each of
                // its bytes is represented, too.
                Unicode.Scalar(Self.offset + UInt32(byte)).map { scalars.append($0) }
                rest.removeFirst()
            }
        }
        self = String(scalars)
    }

    /// Creates text from a C string without changing its bytes.
    public init(systemBytes string: UnsafePointer<CChar>) {
        self.init(systemBytes: UnsafeRawBufferPointer(start: string, count: strlen(string)))
    }

    /// The bytes of text from the system, with a 0 at the end, as a system call takes them.
    public var systemBytes: [CChar] {
        if isUTF8 { return Array(utf8CString) }
        let bytes = unicodeScalars.flatMap { scalar -> [UInt8] in
            Self.isByte(scalar)
                ? [UInt8(truncatingIfNeeded: scalar.value)] : Array(UTF8.encode(scalar) ?? .init())
        }
        return (bytes + [0]).map { CChar(bitPattern: $0) }
    }

    /// Whether text from the system was UTF-8.
    public var isUTF8: Bool {
        // 0xF4 is the first byte of each of these private-use characters.
        !utf8.contains(0xF4) || !unicodeScalars.contains(where: Self.isByte)
    }
}
