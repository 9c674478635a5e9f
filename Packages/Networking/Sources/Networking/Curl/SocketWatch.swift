import Glibc
import NovaBlendCurl

/// The sockets that libcurl waits for, in epoll: what it costs does not grow with their number.
///
/// One thread waits; who holds the loop's lock changes what is waited for.
final class SocketWatch {
    /// What libcurl waits for, what the kernel was told, and whether libcurl has it from here.
    private struct Socket {
        var wanted: UInt32 = 0
        var told: UInt32 = 0
        var isOwn = false
    }

    let poller: Int32
    let bell: Int32
    /// By descriptor: the system gives the smallest that is free.
    private var sockets: [Socket] = []

    init?() {
        poller = epoll_create1(Int32(EPOLL_CLOEXEC))
        bell = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data_t(fd: bell))
        guard poller >= 0, bell >= 0, epoll_ctl(poller, EPOLL_CTL_ADD, bell, &event) == 0 else {
            return nil
        }
    }

    deinit {
        for descriptor in [poller, bell] where descriptor >= 0 { close(descriptor) }
    }

    /// Wakes the thread that waits.
    func wake() {
        var one: UInt64 = 1
        write(bell, &one, MemoryLayout.size(ofValue: one))
    }

    /// Whether libcurl is to be told of an event of that socket; what is not its own is settled
    /// here.
    func concernsLibrary(_ socket: Int32) -> Bool {
        if socket == bell {
            var count: UInt64 = 0
            read(bell, &count, MemoryLayout.size(ofValue: count))
            return false
        }
        let isWanted = self[socket].wanted != 0
        // A kept connection that nobody uses speaks or ends: libcurl sees so when it takes it up
        // again. Until then it must not be told over and over.
        if !isWanted { tell(socket, 0) }
        return isWanted
    }

    /// A socket for libcurl, which gives it back to ``closeSocket(_:)``.
    func openSocket(_ family: Int32, _ type: Int32, _ kind: Int32) -> Int32 {
        let socket = Glibc.socket(family, type | Int32(SOCK_CLOEXEC.rawValue), kind)
        if socket >= 0 { self[socket] = Socket(isOwn: true) }
        return socket
    }

    /// Closes a socket; the kernel then watches it no more.
    func closeSocket(_ socket: Int32) -> Int32 {
        self[socket] = Socket()
        return close(socket)
    }

    /// Watches for `events`, which may be none.
    func want(_ socket: Int32, _ events: UInt32) {
        let known = self[socket]
        self[socket].wanted = events
        // Between two requests on a kept connection the kernel is told nothing: the next one will
        // wait for the same. What libcurl opened by itself it may have closed by itself too.
        if known.isOwn, events == 0 || events == known.told { return }
        tell(socket, events)
    }

    private func tell(_ socket: Int32, _ events: UInt32) {
        var event = epoll_event(events: events, data: epoll_data_t(fd: socket))
        if events == 0 {
            epoll_ctl(poller, EPOLL_CTL_DEL, socket, &event)
        } else if epoll_ctl(poller, EPOLL_CTL_MOD, socket, &event) != 0 {
            epoll_ctl(poller, EPOLL_CTL_ADD, socket, &event)
        }
        self[socket].told = events
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
