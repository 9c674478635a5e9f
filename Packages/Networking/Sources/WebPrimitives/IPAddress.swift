public import Glibc

/// An IPv4 or IPv6 address. An IPv4 address equals its IPv4-mapped IPv6 address (RFC 4291, section
/// 2.5.5.2).
public struct IPAddress: Sendable, Hashable {
    /// The bits of the IPv6 address; the first one in text is the most significant.
    public let bits: UInt128

    /// Whether this is an IPv4 address, or one that is mapped to IPv6.
    public var isIPv4: Bool { bits >> 32 == 0xFFFF }

    /// Creates an IPv6 address.
    public init(bits: UInt128) { self.bits = bits }

    /// Creates an IPv4 address. The first number in text is in the most significant bits.
    public init(v4 bits: UInt32) { self.bits = 0xFFFF << 32 | UInt128(bits) }

    /// Parses an address without brackets and without a port; nil for any other text.
    public init?(_ text: String) {
        // inet_pton would ignore NUL and what follows it.
        guard !text.utf8.contains(0) else { return nil }
        var v4 = in_addr()
        var v6 = in6_addr()
        if inet_pton(AF_INET, text, &v4) == 1 {
            self.init(v4)
        } else if inet_pton(AF_INET6, text, &v6) == 1 {
            self.init(v6)
        } else {
            return nil
        }
    }

    /// Reads the address of a socket; nil if it is neither an IPv4 nor an IPv6 address.
    public init?(_ address: UnsafePointer<sockaddr>) {
        let raw = UnsafeRawPointer(address)
        switch Int32(address.pointee.sa_family) {
        case AF_INET: self.init(raw.loadUnaligned(as: sockaddr_in.self).sin_addr)
        case AF_INET6: self.init(raw.loadUnaligned(as: sockaddr_in6.self).sin6_addr)
        default: return nil
        }
    }

    private init(_ address: in_addr) { self.init(v4: UInt32(bigEndian: address.s_addr)) }

    private init(_ address: in6_addr) {
        let bits = withUnsafeBytes(of: address) { $0.loadUnaligned(as: UInt128.self) }
        self.init(bits: UInt128(bigEndian: bits))
    }
}

extension IPAddress: CustomStringConvertible {
    /// The address without brackets, such as `192.0.2.1` or `2001:db8::1`.
    public var description: String {
        let bytes = withUnsafeBytes(of: bits.bigEndian) { Array($0) }
        if isIPv4 { return bytes[12...].map { String($0) }.joined(separator: ".") }
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
            guard let start = buffer.baseAddress,
                inet_ntop(AF_INET6, bytes, start, socklen_t(buffer.count)) != nil
            else { return "" }
            return String(cString: start)
        }
    }
}
