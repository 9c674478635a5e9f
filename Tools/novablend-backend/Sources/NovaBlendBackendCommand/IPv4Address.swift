import CommandLineKit
import Glibc

enum IPv4Address {
    /// The address in host byte order; nil if the text is no IPv4 address.
    static func parse(_ text: String) -> UInt32? {
        var parsed = in_addr()
        return inet_pton(AF_INET, text, &parsed) == 1 ? UInt32(bigEndian: parsed.s_addr) : nil
    }
}

extension ValueKind {
    /// An IPv4 address.
    static let ipv4Address = ValueKind("ADDRESS") { value in
        IPv4Address.parse(value) == nil ? "must be an IPv4 address" : nil
    }
}
