import Glibc
public import SystemSupport

extension Transport {
    /// Connects to a Unix socket (`unix(7)`).
    ///
    /// - Throws: The error of `socket(2)` or `connect(2)`, such as `ENOENT` or `ECONNREFUSED`;
    ///   `ENAMETOOLONG` for a path of more than 107 bytes.
    public static func connect(toSocket path: String) throws(SystemError) -> Transport {
        let socket = try UnixSocket.make()
        guard try UnixSocket.withAddress(path, { Glibc.connect(socket, $0, $1) }) == 0 else {
            defer { close(socket) }
            throw SystemError(code: errno)
        }
        return Transport(inputSocket: socket, outputSocket: socket)
    }
}

/// System calls for Unix sockets.
enum UnixSocket {
    static func make(isBlocking: Bool = true) throws(SystemError) -> Int32 {
        var kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        if !isBlocking { kind |= Int32(SOCK_NONBLOCK.rawValue) }
        let descriptor = socket(AF_UNIX, kind, 0)
        guard descriptor >= 0 else { throw SystemError(code: errno) }
        return descriptor
    }

    /// Calls `body` with the address of the socket at `path`, and the length of the address.
    static func withAddress(
        _ path: String,
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) throws(SystemError) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        // The path ends with a zero byte.
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
            throw SystemError(code: ENAMETOOLONG)
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        return withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
