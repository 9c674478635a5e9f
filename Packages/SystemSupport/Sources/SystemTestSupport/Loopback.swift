import Foundation
import SystemSupport

/// TCP sockets of this machine.
public enum Loopback {
    private static let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)

    /// A socket that is not connected.
    public static func socket(isIPv6: Bool = false) -> Int32 {
        Glibc.socket(isIPv6 ? AF_INET6 : AF_INET, type, 0)
    }

    /// A socket that listens on a free port of 127.0.0.1.
    public static func listen(backlog: Int32) throws -> (descriptor: Int32, port: UInt16) {
        let descriptor = socket()
        let port = try bind(descriptor)
        guard Glibc.listen(descriptor, backlog) == 0 else { throw SystemError(code: errno) }
        return (descriptor, port)
    }

    /// Binds a socket to a port of 127.0.0.1, by default to a free one, and returns the port.
    @discardableResult
    public static func bind(_ descriptor: Int32, to port: UInt16 = 0) throws -> UInt16 {
        var (address, size) = (address(port: port), socklen_t(MemoryLayout<sockaddr_in>.size))
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                Glibc.bind(descriptor, address, size) == 0
                    && getsockname(descriptor, address, &size) == 0
            }
        }
        guard isBound else { throw SystemError(code: errno) }
        return UInt16(bigEndian: address.sin_port)
    }

    /// A socket that is connected to a port of 127.0.0.1.
    public static func connect(to port: UInt16) throws -> Int32 {
        let descriptor = socket()
        try connect(descriptor, to: port)
        return descriptor
    }

    /// Connects a socket to a port of 127.0.0.1 or, if `isIPv6`, of ::1.
    public static func connect(_ descriptor: Int32, to port: UInt16, isIPv6: Bool = false) throws {
        var v4 = address(port: port)
        var v6 = sockaddr_in6()
        (v6.sin6_family, v6.sin6_port) = (sa_family_t(AF_INET6), port.bigEndian)
        v6.sin6_addr = in6addr_loopback
        let isConnected =
            isIPv6
            ? withUnsafeBytes(of: &v6) { connect(descriptor, $0) }
            : withUnsafeBytes(of: &v4) { connect(descriptor, $0) }
        guard isConnected else { throw SystemError(code: errno) }
    }

    private static func connect(_ descriptor: Int32, _ address: UnsafeRawBufferPointer) -> Bool {
        guard let start = address.assumingMemoryBound(to: sockaddr.self).baseAddress else {
            return false
        }
        return Glibc.connect(descriptor, start, socklen_t(address.count)) == 0
    }

    private static func address(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = port.bigEndian
        return address
    }
}
