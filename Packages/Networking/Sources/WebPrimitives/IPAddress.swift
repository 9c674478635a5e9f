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

extension IPAddress {
    /// Whether the address belongs to a host on the public internet (global unicast). An address
    /// that embeds an IPv4 address belongs to such a host if the IPv4 address does.
    ///
    /// The ranges are those of IANA's special-purpose address registries for IPv4 and IPv6 (RFC
    /// 6890). A global address that a registry lists within a special range counts as special.
    public var isGlobalUnicast: Bool {
        if let embedded { return embedded.isGlobalUnicast }
        return (isIPv4 || Self.global6.contains(self))
            && !Self.special.contains { $0.contains(self) }
    }

    /// The IPv4 address in a translated (NAT64) or tunneled (6to4) one.
    private var embedded: IPAddress? {
        if Self.nat64.contains(self) {
            IPAddress(v4: UInt32(truncatingIfNeeded: bits))
        } else if Self.sixToFour.contains(self) {
            IPAddress(v4: UInt32(truncatingIfNeeded: bits >> 80))
        } else {
            nil
        }
    }

    /// The network `a.b.c.0/length`.
    private static func v4(_ a: UInt32, _ b: UInt32, _ c: UInt32, _ length: Int) -> IPNetwork {
        IPNetwork(IPAddress(v4: a << 24 | b << 16 | c << 8), prefix: 96 + length)
    }

    /// The network `a:b::/length`.
    private static func v6(_ a: UInt128, _ b: UInt128, _ length: Int) -> IPNetwork {
        IPNetwork(IPAddress(bits: a << 112 | b << 96), prefix: length)
    }

    private static let special = [
        v4(0, 0, 0, 8),  // This network (RFC 791).
        v4(10, 0, 0, 8),  // Private use (RFC 1918).
        v4(100, 64, 0, 10),  // Shared address space (RFC 6598).
        v4(127, 0, 0, 8),  // Loopback (RFC 1122).
        v4(169, 254, 0, 16),  // Link local (RFC 3927).
        v4(172, 16, 0, 12),  // Private use (RFC 1918).
        v4(192, 0, 0, 24),  // Protocol assignments (RFC 6890).
        v4(192, 0, 2, 24),  // Documentation (RFC 5737).
        v4(192, 88, 99, 24),  // 6to4 relays (RFC 7526).
        v4(192, 168, 0, 16),  // Private use (RFC 1918).
        v4(198, 18, 0, 15),  // Benchmarks (RFC 2544).
        v4(198, 51, 100, 24),  // Documentation (RFC 5737).
        v4(203, 0, 113, 24),  // Documentation (RFC 5737).
        v4(224, 0, 0, 4),  // Multicast (RFC 1112).
        v4(240, 0, 0, 4),  // Reserved (RFC 1112), and broadcast (RFC 919).
        v6(0x2001, 0, 23),  // Protocol assignments, with Teredo and ORCHID (RFC 2928).
        v6(0x2001, 0xDB8, 32),  // Documentation (RFC 3849).
        v6(0x3FFF, 0, 20),  // Documentation (RFC 9637).
    ]

    /// The range that contains all global unicast addresses that IANA has assigned so far (RFC 4291).
    private static let global6 = v6(0x2000, 0, 3)
    private static let nat64 = v6(0x64, 0xFF9B, 96)  // RFC 6052.
    private static let sixToFour = v6(0x2002, 0, 16)  // RFC 3056.
}
