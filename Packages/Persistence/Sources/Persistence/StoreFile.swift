/// A file of a store. The caller chooses the name, and the suffix shows the kind of file.
///
/// A name of `a-z`, `0-9`, `-`, `_`, and `.` is its own file name. Any other byte of its UTF-8, and
/// a dot at the start, is escaped as `%` and two lowercase hexadecimal digits, so the file names of
/// two names never differ only in case. The empty name is `%`. A file name that would be too long
/// is cut off and ends with `+` and the hash of the name. Such a file also contains the name.
struct StoreFile: CustomStringConvertible {
    /// The maximum length without the suffix, in bytes. This leaves room for the suffix of a
    /// quarantined file, because file systems limit a file name to 255 bytes.
    private static let maximumLength = 200
    private static let hashMark = UInt8(ascii: "+")

    /// The file name.
    let description: String
    /// The name that the file contains because the file name has only its hash; empty if the file
    /// name has the whole name.
    let storedName: [UInt8]
    /// Whether the name is short enough.
    let isValid: Bool

    /// Determines the file of `name`. If `canStoreName` is false, the file cannot contain its name,
    /// so a long name is not valid.
    init(_ name: String, suffix: String, canStoreName: Bool = false) {
        let escaped = Self.isPlain(name) ? name : Self.escape(name)
        if escaped.utf8.count <= Self.maximumLength {
            description = escaped + suffix
            storedName = []
            isValid = true
        } else {
            storedName = Array(name.utf8)
            description = Self.shorten(escaped, hashOf: storedName) + suffix
            isValid = canStoreName && storedName.count <= Snapshot.maximumNameSize
        }
    }

    /// The name whose file is `fileName`; nil if no name has this file, or if the file contains the
    /// name.
    static func name(of fileName: String, suffix: String) -> String? {
        guard fileName.hasSuffix(suffix) else { return nil }
        let escaped = String(Substring(fileName.utf8.dropLast(suffix.utf8.count)))
        if isPlain(escaped) { return escaped.utf8.count <= maximumLength ? escaped : nil }
        guard let name = unescape(escaped) else { return nil }
        // Each name has only one file, so a file with a different spelling belongs to no name.
        return StoreFile(name, suffix: suffix).description == fileName ? name : nil
    }

    /// Whether the file `fileName` would contain its name.
    static func hasStoredName(_ fileName: String, suffix: String) -> Bool {
        fileName.utf8.contains(hashMark) && fileName.hasSuffix(suffix)
    }

    private static func isPlain(_ name: String) -> Bool {
        !name.isEmpty && !name.hasPrefix(".") && name.utf8.allSatisfy(isPlain)
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
            true
        default: false
        }
    }

    private static func escape(_ name: String) -> String {
        if name.isEmpty { return "%" }
        let digits = Array("0123456789abcdef".utf8)
        var escaped: [UInt8] = []
        for byte in name.utf8 {
            if isPlain(byte), !(escaped.isEmpty && byte == UInt8(ascii: ".")) {
                escaped.append(byte)
            } else {
                escaped += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: escaped, as: UTF8.self)
    }

    private static func unescape(_ escaped: String) -> String? {
        if escaped == "%" { return "" }
        var rest = escaped.utf8[...]
        var bytes: [UInt8] = []
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let digits = String(rest.prefix(2)), let value = UInt8(digits, radix: 16) else {
                return nil
            }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func shorten(_ escaped: String, hashOf name: [UInt8]) -> String {
        let hash = String(Checksum.xxh3(name[...]), radix: 16)
        var start = escaped.utf8.prefix(maximumLength - 1 - hash.utf8.count)
        // Do not cut through an escaped byte.
        if let percent = start.suffix(2).firstIndex(of: UInt8(ascii: "%")) {
            start = start[..<percent]
        }
        return String(Substring(start)) + "+" + hash
    }
}
