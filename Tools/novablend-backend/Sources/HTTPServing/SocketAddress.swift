package import Glibc

/// An IP address with a port.
package enum SocketAddress {
    case v4(sockaddr_in)
    case v6(sockaddr_in6)

    /// An IPv4 or IPv6 address without brackets; nil if `host` is neither.
    package init?(host: String, port: UInt16) {
        var v4 = sockaddr_in()
        var v6 = sockaddr_in6()
        if inet_pton(AF_INET, host, &v4.sin_addr) == 1 {
            (v4.sin_family, v4.sin_port) = (sa_family_t(AF_INET), port.bigEndian)
            self = .v4(v4)
        } else if inet_pton(AF_INET6, host, &v6.sin6_addr) == 1 {
            (v6.sin6_family, v6.sin6_port) = (sa_family_t(AF_INET6), port.bigEndian)
            self = .v6(v6)
        } else {
            return nil
        }
    }

    /// An IPv6 address without the brackets that it has in a URL.
    package static func withoutBrackets(_ host: String) -> String {
        host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
    }

    package var isIPv4: Bool {
        if case .v4 = self { true } else { false }
    }

    /// A new socket of the address's family, and of a type such as `SOCK_STREAM`, which closes when
    /// this process runs a different program; negative if that fails.
    package func makeSocket(_ type: __socket_type) -> Int32 {
        let flags = Int32(type.rawValue | SOCK_CLOEXEC.rawValue)
        return socket(isIPv4 ? AF_INET : AF_INET6, flags, 0)
    }

    /// Calls a function such as `bind` with the address.
    package func withPointer<Result>(
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        switch self {
        case .v4(let address): Self.withPointer(to: address, body)
        case .v6(let address): Self.withPointer(to: address, body)
        }
    }

    private static func withPointer<Address, Result>(
        to address: Address,
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<Address>.size))
            }
        }
    }
}
