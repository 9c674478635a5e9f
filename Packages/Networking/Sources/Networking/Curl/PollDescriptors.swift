import Glibc
import NovaBlendCurl

/// The descriptors that a thread waits on: an epoll descriptor for sockets, and an eventfd to wake
/// the thread.
///
/// Each waiting thread holds a reference, so that the descriptors stay open while it waits.
final class PollDescriptors: Sendable {
    private let epollFD: Int32
    private let wakeupFD: Int32

    /// Creates the descriptors; nil if the system cannot create them.
    init?() {
        epollFD = epoll_create1(Int32(EPOLL_CLOEXEC))
        wakeupFD = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        // `watch` fails if either descriptor is invalid.
        guard watch(wakeupFD, for: .readable) else { return nil }
    }

    deinit {
        close(epollFD)
        close(wakeupFD)
    }

    /// Sets the events to watch a descriptor for. An empty set stops watching it. Returns false on
    /// failure.
    @discardableResult
    func watch(_ descriptor: Int32, for events: SocketEvents) -> Bool {
        if events.isEmpty { return epoll_ctl(epollFD, EPOLL_CTL_DEL, descriptor, nil) == 0 }
        var event = epoll_event(events: events.rawValue, data: epoll_data_t(fd: descriptor))
        return epoll_ctl(epollFD, EPOLL_CTL_MOD, descriptor, &event) == 0
            || epoll_ctl(epollFD, EPOLL_CTL_ADD, descriptor, &event) == 0
    }

    /// Wakes the loop thread. If it is not waiting, its next wait returns immediately.
    func wake() {
        eventfd_write(wakeupFD, 1)
    }

    /// Waits for sockets or a wakeup, and clears the wakeup. Negative `milliseconds` mean no
    /// timeout.
    func wait(_ events: inout PollEvents, milliseconds: Int32) {
        let maximum = Int32(events.buffer.count)
        events.count = Int(max(epoll_wait(epollFD, &events.buffer, maximum, milliseconds), 0))
        var count: eventfd_t = 0
        if removeWakeup(from: &events) { eventfd_read(wakeupFD, &count) }
    }

    /// Waits only for a wakeup, and clears it. Negative `milliseconds` mean no timeout.
    func waitForWakeup(_ events: inout PollEvents, milliseconds: Int32) {
        var entry = pollfd(fd: wakeupFD, events: Int16(POLLIN), revents: 0)
        poll(&entry, 1, milliseconds)
        events.count = 0
        var count: eventfd_t = 0
        eventfd_read(wakeupFD, &count)
    }

    /// Waits for sockets or a wakeup for at most `microseconds`, which must be less than a second.
    /// Returns false after a timeout or a wakeup. The wakeup stays set for the loop thread.
    func waitInline(_ events: inout PollEvents, microseconds: Int) -> Bool {
        let maximum = Int32(events.buffer.count)
        let count = nb_epoll_wait_microseconds(epollFD, &events.buffer, maximum, microseconds)
        events.count = Int(max(count, 0))
        return !removeWakeup(from: &events) && events.count > 0
    }

    /// Removes the wakeup from the events; false if they contain none.
    private func removeWakeup(from events: inout PollEvents) -> Bool {
        let reported = events.buffer.prefix(events.count)
        guard let index = reported.firstIndex(where: { $0.data.fd == wakeupFD }) else {
            return false
        }
        events.count -= 1
        events.buffer[index] = events.buffer[events.count]
        return true
    }
}

/// A buffer for the socket events that a wait reports.
struct PollEvents {
    fileprivate var buffer: [epoll_event]
    fileprivate(set) var count = 0

    init(capacity: Int) { buffer = [epoll_event](repeating: epoll_event(), count: capacity) }

    var sockets: some Sequence<(socket: Int32, events: SocketEvents)> {
        buffer.prefix(count).lazy.map { ($0.data.fd, SocketEvents(rawValue: $0.events)) }
    }
}

/// Events of a socket, as in `epoll_event.events`.
struct SocketEvents: OptionSet, Sendable {
    let rawValue: UInt32

    static let readable = SocketEvents(rawValue: EPOLLIN.rawValue)
    static let writable = SocketEvents(rawValue: EPOLLOUT.rawValue)
    static let failed = SocketEvents(rawValue: EPOLLERR.rawValue | EPOLLHUP.rawValue)
}
