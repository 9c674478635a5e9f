import Glibc
import NovaBlendCurl

/// The sockets of libcurl, and the events that libcurl waits for on each. Used only by the thread
/// that drives the multi handle.
final class SocketTable {
    private struct Socket {
        /// The events that libcurl waits for.
        var wanted: SocketEvents = []
        /// The events that epoll watches.
        var watched: SocketEvents = []
        /// Whether ``SocketTable/open(_:_:_:)`` created the socket.
        var isOwn = false
    }

    private let descriptors: PollDescriptors
    /// The sockets, indexed by descriptor. The system assigns the smallest free descriptor, so the
    /// array stays short.
    private var sockets: [Socket] = []

    init(_ descriptors: PollDescriptors) { self.descriptors = descriptors }

    /// Creates a socket for libcurl, which closes it with ``close(_:)``. Returns -1 on failure.
    func open(_ family: Int32, _ type: Int32, _ protocolNumber: Int32) -> Int32 {
        let socket = Glibc.socket(family, type | Int32(SOCK_CLOEXEC.rawValue), protocolNumber)
        if socket >= 0 { self[socket] = Socket(isOwn: true) }
        return socket
    }

    /// Closes a socket, which also removes it from epoll.
    func close(_ socket: Int32) -> Int32 {
        self[socket] = Socket()
        return Glibc.close(socket)
    }

    /// Sets the events that libcurl waits for on a socket, which may be none.
    func setWanted(_ events: SocketEvents, of socket: Int32) {
        let known = self[socket]
        self[socket].wanted = events
        // A pooled connection stays in epoll between two requests, because the next one waits for
        // the same events. But libcurl may close, without our knowledge, a socket that it
        // created itself, and the system may reuse the number.
        if known.isOwn, events.isEmpty || events == known.watched { return }
        descriptors.watch(socket, for: events)
        self[socket].watched = events
    }

    /// Whether libcurl waits for events of this socket. If not, stops watching it.
    ///
    /// An event that libcurl does not wait for comes from an idle connection, which received data
    /// or was closed. libcurl will notice before it reuses the connection; until then, epoll must
    /// not report the event again.
    func isWanted(_ socket: Int32) -> Bool {
        if !self[socket].wanted.isEmpty { return true }
        descriptors.watch(socket, for: [])
        self[socket].watched = []
        return false
    }

    private subscript(socket: Int32) -> Socket {
        get { sockets.indices.contains(Int(socket)) ? sockets[Int(socket)] : Socket() }
        set {
            guard socket >= 0 else { return }
            while sockets.count <= socket { sockets.append(Socket()) }
            sockets[Int(socket)] = newValue
        }
    }
}
