import Glibc
import NovaBlendFileCalls
import SystemSupport

/// The files that any process renames or deletes in a directory (`inotify(7)`).
final class DirectoryEvents: Sendable {
    enum Event {
        /// A file of this name was replaced or created by a renaming.
        case replaced(String)
        /// A file of this name was deleted or renamed.
        case removed(String)
        /// Events were lost.
        case overflow
        /// The directory was deleted or moved. No further event follows.
        case ended
    }

    // Both are closed with the last of the owner and the thread that waits for events.
    private let inotifyFD: Int32
    private let stopFD: Int32

    init(directory path: String) throws(StoreError.Reason) {
        let inotifyFD = try Descriptor.call("inotify_init1") { inotify_init1(Int32(IN_CLOEXEC)) }
        let mask =
            UInt32(IN_MOVED_TO) | UInt32(IN_MOVED_FROM) | UInt32(IN_DELETE) | UInt32(IN_MOVE_SELF)
            | UInt32(IN_ONLYDIR) | UInt32(IN_DONT_FOLLOW)
        do throws(StoreError.Reason) {
            try Descriptor.call("inotify_add_watch") {
                inotify_add_watch(inotifyFD, path.systemBytes, mask)
            }
            stopFD = try Descriptor.call("eventfd") { eventfd(0, Int32(EFD_CLOEXEC)) }
        } catch {
            close(inotifyFD)
            throw error
        }
        self.inotifyFD = inotifyFD
    }

    deinit {
        close(inotifyFD)
        close(stopFD)
    }

    /// Passes each event to `body`, until ``stop()`` or the last event.
    func forEach(_ body: (Event) -> Void) {
        while let events = next() {
            for event in events {
                body(event)
                if case .ended = event { return }
            }
        }
    }

    /// Lets ``forEach(_:)`` return.
    func stop() { eventfd_write(stopFD, 1) }

    /// Waits for the next events. Returns nil after ``stop()``.
    private func next() -> [Event]? {
        var polled = [inotifyFD, stopFD].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        while poll(&polled, 2, -1) < 0 { if errno != EINTR { return nil } }
        guard polled[1].revents == 0 else { return nil }
        var buffer = [UInt8](repeating: 0, count: 1 << 14)
        let count = read(inotifyFD, &buffer, buffer.count)
        return count > 0 ? Self.events(in: buffer[..<count]) : nil
    }

    private static func events(in buffer: ArraySlice<UInt8>) -> [Event] {
        let headerLength = MemoryLayout<inotify_event>.size
        var events: [Event] = []
        var rest = buffer
        while rest.count >= headerLength {
            let header = rest.withUnsafeBytes { $0.loadUnaligned(as: inotify_event.self) }
            let name = rest.dropFirst(headerLength).prefix(Int(header.len)).prefix { $0 != 0 }
            rest = rest.dropFirst(headerLength + Int(header.len))
            if let event = event(header.mask, String(decoding: name, as: UTF8.self)) {
                events.append(event)
            }
        }
        return events
    }

    private static func event(_ mask: UInt32, _ name: String) -> Event? {
        if mask & UInt32(IN_Q_OVERFLOW) != 0 { return .overflow }
        if mask & (UInt32(IN_IGNORED) | UInt32(IN_MOVE_SELF)) != 0 { return .ended }
        if mask & UInt32(IN_MOVED_TO) != 0 { return .replaced(name) }
        return mask & (UInt32(IN_MOVED_FROM) | UInt32(IN_DELETE)) != 0 ? .removed(name) : nil
    }
}
