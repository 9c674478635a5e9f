import Glibc

/// Reports the state of this process to systemd, as sd_notify(3) describes.
struct ServiceManager: Sendable {
    private let socketPath: String?

    /// The service manager that has started this process, if there is one.
    static var current: ServiceManager {
        ServiceManager(socketPath: getenv("NOTIFY_SOCKET").map { String(cString: $0) })
    }

    /// Reports that the server accepts requests.
    ///
    /// - Parameter status: One line for `systemctl status`.
    func reportReady(status: String) { send("READY=1\nSTATUS=\(status)") }

    /// Reports that the server is stopping, and asks for `seconds` to finish.
    func reportStopping(seconds: Int) {
        send("STOPPING=1\nEXTEND_TIMEOUT_USEC=\(seconds * 1_000_000)")
    }

    /// Sends one datagram. Errors are ignored: the process works without a service manager, too.
    private func send(_ message: String) {
        guard let socketPath, let (address, size) = Self.address(socketPath) else { return }
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let bytes = Array(message.utf8)
        _ = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                sendto(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL), address, size)
            }
        }
    }

    /// The address of a socket in a file, or of an abstract one if the path begins with `@`.
    private static func address(_ path: String) -> (sockaddr_un, socklen_t)? {
        var bytes = Array(path.utf8)
        var address = sockaddr_un()
        let capacity = MemoryLayout.size(ofValue: address.sun_path)
        guard let first = bytes.first, bytes.count < capacity else { return nil }
        if first == UInt8(ascii: "@") { bytes[0] = 0 }
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let size = MemoryLayout<sockaddr_un>.size - capacity + bytes.count
        return (address, socklen_t(size))
    }
}
