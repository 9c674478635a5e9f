import Glibc
import NovaBlendFileCalls
import Synchronization

/// The files that any process writes, renames, or deletes in the directory at a path (`inotify(7)`),
/// also after the directory was deleted, moved, or created again. A ``SnapshotChange`` from here has
/// the name of the file, not that of a snapshot.
final class DirectoryEvents: Sendable {
    // Both descriptors are closed when neither the owner nor the thread that waits for events needs
    // them anymore.
    private let inotifyFD: Int32
    private let stopFD: Int32
    private let watch: Mutex<PathWatch>

    init(directory path: String) throws(StoreError.Reason) {
        let inotifyFD = try Descriptor.call("inotify_init1") { inotify_init1(Int32(IN_CLOEXEC)) }
        var watch = PathWatch(path, inotifyFD: inotifyFD)
        do {
            try Descriptor.call("inotify_add_watch") {
                watch.renew()
                return watch.directory ?? -1
            }
            stopFD = try Descriptor.call("eventfd") { eventfd(0, Int32(EFD_CLOEXEC)) }
        } catch {
            close(inotifyFD)
            throw error
        }
        self.inotifyFD = inotifyFD
        self.watch = Mutex(watch)
    }

    deinit {
        close(inotifyFD)
        close(stopFD)
    }

    /// Passes each event to `body`, until ``stop()``.
    func forEach(_ body: (SnapshotChange) -> Void) {
        while let events = next() { for event in events { body(event) } }
    }

    /// Lets ``forEach(_:)`` return.
    func stop() { eventfd_write(stopFD, 1) }

    /// Waits for the next events. Returns nil after ``stop()``.
    private func next() -> [SnapshotChange]? {
        var polled = [inotifyFD, stopFD].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        while poll(&polled, 2, -1) < 0 { if errno != EINTR { return nil } }
        guard polled[1].revents == 0 else { return nil }
        var buffer = [UInt8](repeating: 0, count: 1 << 14)
        let count = read(inotifyFD, &buffer, buffer.count)
        guard count > 0 else { return nil }
        return watch.withLock { Self.events(in: buffer[..<count], of: &$0) }
    }

    private static func events(
        in buffer: ArraySlice<UInt8>,
        of watch: inout PathWatch
    ) -> [SnapshotChange] {
        let headerLength = MemoryLayout<inotify_event>.size
        var events: [SnapshotChange] = []
        var rest = buffer
        while rest.count >= headerLength {
            let header = rest.withUnsafeBytes { $0.loadUnaligned(as: inotify_event.self) }
            let name = rest.dropFirst(headerLength).prefix(Int(header.len)).prefix { $0 != 0 }
            rest = rest.dropFirst(headerLength + Int(header.len))
            if let event = event(header, String(decoding: name, as: UTF8.self), of: &watch) {
                events.append(event)
            }
        }
        return events
    }

    private static func event(
        _ header: inotify_event,
        _ name: String,
        of watch: inout PathWatch
    ) -> SnapshotChange? {
        let isOverflow = header.mask & UInt32(IN_Q_OVERFLOW) != 0
        if isOverflow || watch.isMoved(by: header.mask, of: header.wd) {
            let wasWatched = watch.directory != nil
            watch.renew()
            return isOverflow || wasWatched || watch.directory != nil ? .unknown : nil
        }
        guard header.wd == watch.directory else { return nil }
        let replacement = UInt32(IN_MOVED_TO) | UInt32(IN_MODIFY)
        if header.mask & replacement != 0 { return .replaced(name) }
        let removal = UInt32(IN_MOVED_FROM) | UInt32(IN_DELETE)
        return header.mask & removal != 0 ? .removed(name) : nil
    }
}
