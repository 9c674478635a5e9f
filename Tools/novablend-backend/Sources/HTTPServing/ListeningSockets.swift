import Glibc
import SystemSupport

/// The sockets that a server listens on. They have the same port.
struct ListeningSockets: ~Copyable {
    private(set) var descriptors: [Int32] = []
    private(set) var port: UInt16

    /// Listens on an IPv4 or IPv6 address, with or without brackets. `localhost` means 127.0.0.1
    /// and, if this machine has IPv6, ::1. The address `::` includes IPv4.
    init(host: String, port: UInt16) throws(SystemError) {
        self.port = port
        let hosts =
            host == "localhost" ? ["127.0.0.1", "::1"] : [SocketAddress.withoutBrackets(host)]
        for host in hosts {
            do {
                try open(host)
            } catch {
                // The second address of localhost is optional.
                if descriptors.isEmpty { throw error }
            }
        }
    }

    deinit { for descriptor in descriptors { close(descriptor) } }

    private mutating func open(_ host: String) throws(SystemError) {
        guard let address = SocketAddress(host: host, port: port) else {
            throw SystemError(code: EINVAL)
        }
        let type = __socket_type(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = address.makeSocket(type)
        guard descriptor >= 0 else { throw SystemError(code: errno) }
        setOption(SOL_SOCKET, SO_REUSEADDR, 1, descriptor)
        if !address.isIPv4 {
            setOption(Int32(IPPROTO_IPV6), IPV6_V6ONLY, host == "::" ? 0 : 1, descriptor)
        }
        let isBound = address.withPointer { bind(descriptor, $0, $1) == 0 }
        guard isBound, listen(descriptor, 4_096) == 0 else {
            let error = SystemError(code: errno)
            close(descriptor)
            throw error
        }
        descriptors.append(descriptor)
        port = Self.port(of: descriptor)
    }

    private func setOption(_ level: Int32, _ name: Int32, _ value: Int32, _ descriptor: Int32) {
        var value = value
        setsockopt(descriptor, level, name, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    private static func port(of descriptor: Int32) -> UInt16 {
        var address = sockaddr_in6()
        var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
        withUnsafeMutablePointer(to: &address) { pointer in
            _ = pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getsockname(descriptor, $0, &size)
            }
        }
        // The port has the same position in both kinds of address.
        return UInt16(bigEndian: address.sin6_port)
    }
}
