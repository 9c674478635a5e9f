/// An IP address, and whether it belongs to a host on the public internet.
///
/// The ranges are those of IANA's special-purpose address registries for IPv4 and IPv6 (RFC 6890).
/// A global address that a registry lists within a special range counts as special.
enum IPAddress: Hashable, Sendable {
    /// In host byte order.
    case v4(UInt32)
    /// In host byte order.
    case v6(UInt128)

    /// The addresses whose first `length` bits are those of `prefix`.
    private struct Block<Bits: FixedWidthInteger & UnsignedInteger & Sendable>: Sendable {
        let prefix: Bits
        let length: Int

        func contains(_ address: Bits) -> Bool {
            (address ^ prefix) >> (Bits.bitWidth - length) == 0
        }
    }

    /// Whether the address is global unicast. An address that embeds an IPv4 address is global
    /// unicast if the IPv4 address is.
    var isGlobalUnicast: Bool {
        switch self {
        case .v4(let bits): !Self.special4.contains { $0.contains(bits) }
        case .v6(let bits):
            if let embedded = Self.embedded(in: bits) {
                embedded.isGlobalUnicast
            } else {
                Self.global6.contains(bits) && !Self.special6.contains { $0.contains(bits) }
            }
        }
    }

    /// The IPv4 address in a mapped, translated (NAT64), or tunneled (6to4) one.
    private static func embedded(in bits: UInt128) -> IPAddress? {
        if mapped.contains(bits) || nat64.contains(bits) {
            .v4(UInt32(truncatingIfNeeded: bits))
        } else if sixToFour.contains(bits) {
            .v4(UInt32(truncatingIfNeeded: bits >> 80))
        } else {
            nil
        }
    }

    /// `a.b.c.0/length`.
    private static func block4(
        _ a: UInt32,
        _ b: UInt32,
        _ c: UInt32,
        _ length: Int
    ) -> Block<UInt32> {
        Block(prefix: a << 24 | b << 16 | c << 8, length: length)
    }

    /// `a:b::/length`.
    private static func block6(_ a: UInt128, _ b: UInt128, _ length: Int) -> Block<UInt128> {
        Block(prefix: a << 112 | b << 96, length: length)
    }

    private static let special4 = [
        block4(0, 0, 0, 8),  // This network (RFC 791).
        block4(10, 0, 0, 8),  // Private use (RFC 1918).
        block4(100, 64, 0, 10),  // Shared address space (RFC 6598).
        block4(127, 0, 0, 8),  // Loopback (RFC 1122).
        block4(169, 254, 0, 16),  // Link local (RFC 3927).
        block4(172, 16, 0, 12),  // Private use (RFC 1918).
        block4(192, 0, 0, 24),  // Protocol assignments (RFC 6890).
        block4(192, 0, 2, 24),  // Documentation (RFC 5737).
        block4(192, 88, 99, 24),  // 6to4 relays (RFC 7526).
        block4(192, 168, 0, 16),  // Private use (RFC 1918).
        block4(198, 18, 0, 15),  // Benchmarks (RFC 2544).
        block4(198, 51, 100, 24),  // Documentation (RFC 5737).
        block4(203, 0, 113, 24),  // Documentation (RFC 5737).
        block4(224, 0, 0, 4),  // Multicast (RFC 1112).
        block4(240, 0, 0, 4),  // Reserved (RFC 1112), and broadcast (RFC 919).
    ]

    /// All global unicast addresses that IANA has assigned so far (RFC 4291).
    private static let global6 = block6(0x2000, 0, 3)
    private static let special6 = [
        block6(0x2001, 0, 23),  // Protocol assignments, with Teredo and ORCHID (RFC 2928).
        block6(0x2001, 0xDB8, 32),  // Documentation (RFC 3849).
        block6(0x3FFF, 0, 20),  // Documentation (RFC 9637).
    ]

    private static let mapped = Block<UInt128>(prefix: 0xFFFF << 32, length: 96)  // RFC 4291.
    private static let nat64 = block6(0x64, 0xFF9B, 96)  // RFC 6052.
    private static let sixToFour = block6(0x2002, 0, 16)  // RFC 3056.
}
