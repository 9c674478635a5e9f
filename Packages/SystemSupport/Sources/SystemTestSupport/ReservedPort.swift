import Glibc
import SystemSupport

/// A port of 127.0.0.1 that no other socket gets by chance, also while no one listens on it.
///
/// A server can listen on it, again and again, if it sets `SO_REUSEADDR`. Without a reservation, a
/// different program can get the port of a server that was stopped, and answer its clients.
public final class ReservedPort: Sendable, CustomStringConvertible {
    /// The number of the port.
    public let number: UInt16
    /// A socket that is bound to the port and does not listen.
    private let descriptor: Int32

    /// Reserves a port until this object is released.
    public init() throws {
        descriptor = Loopback.socket()
        do {
            var isReused: Int32 = 1
            let size = socklen_t(MemoryLayout<Int32>.size)
            guard setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isReused, size) == 0 else {
                throw SystemError(code: errno)
            }
            number = try Loopback.bind(descriptor)
        } catch {
            close(descriptor)
            throw error
        }
    }

    deinit { close(descriptor) }

    /// The number of the port in decimal.
    public var description: String { "\(number)" }
}
