import Glibc

/// An IPv4 or IPv6 address. An IPv4 address equals its IPv4-mapped IPv6 address (RFC 4291, section
/// 2.5.5.2).
struct IPAddress: Sendable, Hashable {
    /// The 16 bytes of the IPv6 address.
    private var bytes: [UInt8]

    private static let mappedPrefix: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]

    var isIPv4: Bool { bytes.starts(with: Self.mappedPrefix) }

    /// Parses an address without brackets and without a port.
    init?(_ text: String) {
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

    /// The address of a socket; nil if it is of another kind.
    init?(_ address: UnsafePointer<sockaddr>) {
        let raw = UnsafeRawPointer(address)
        switch Int32(address.pointee.sa_family) {
        case AF_INET: self.init(raw.loadUnaligned(as: sockaddr_in.self).sin_addr)
        case AF_INET6: self.init(raw.loadUnaligned(as: sockaddr_in6.self).sin6_addr)
        default: return nil
        }
    }

    private init(_ address: in_addr) {
        bytes = Self.mappedPrefix + withUnsafeBytes(of: address) { Array($0) }
    }

    private init(_ address: in6_addr) { bytes = withUnsafeBytes(of: address) { Array($0) } }

    /// The address with zeros after its first 64 bits.
    var networkOf64Bits: String {
        var network = self
        for index in 8..<16 { network.bytes[index] = 0 }
        return network.description
    }

    /// Whether the first `count` bits equal those of another address.
    func shares(prefix count: Int, with other: IPAddress) -> Bool {
        let (whole, rest) = count.quotientAndRemainder(dividingBy: 8)
        guard bytes[..<whole] == other.bytes[..<whole] else { return false }
        return rest == 0 || (bytes[whole] ^ other.bytes[whole]) >> (8 - rest) == 0
    }
}

extension IPAddress: CustomStringConvertible {
    /// The address without brackets, such as `192.0.2.1` or `2001:db8::1`.
    var description: String {
        if isIPv4 { return bytes[12...].map { String($0) }.joined(separator: ".") }
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
            guard let start = buffer.baseAddress,
                inet_ntop(AF_INET6, bytes, start, socklen_t(buffer.count)) != nil
            else { return "" }
            return String(cString: start)
        }
    }
}
