import Glibc

extension IPAddress {
    /// Reads a socket address of the family AF_INET or AF_INET6 at `address`; nil for any other
    /// family.
    init?(family: Int32, _ address: UnsafeRawPointer) {
        switch family {
        case AF_INET:
            let bits = address.loadUnaligned(as: sockaddr_in.self).sin_addr.s_addr
            self = .v4(UInt32(bigEndian: bits))
        case AF_INET6:
            var bytes = address.loadUnaligned(as: sockaddr_in6.self).sin6_addr
            let bits = withUnsafeBytes(of: &bytes) { $0.loadUnaligned(as: UInt128.self) }
            self = .v6(UInt128(bigEndian: bits))
        default: return nil
        }
    }
}
