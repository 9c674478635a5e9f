import Glibc
import Synchronization
import SystemSupport

/// Reports when any process, including this one, replaces a file in a directory (inotify).
package final class DirectoryWatch: Sendable {
    private enum State {
        /// The watch has not been requested.
        case off
        /// The watch was requested, but has not started, usually because the directory does not
        /// exist.
        case requested
        case running
    }

    private let directory: String
    private let suffix: String
    private let state = Mutex(State.off)
    private let onChange: @Sendable (String) -> Void

    /// Creates a watch for files in `directory` whose names end with `suffix`. It calls `onChange`
    /// with the name without the suffix.
    package init(directory: String, suffix: String, onChange: @escaping @Sendable (String) -> Void)
    {
        self.directory = directory
        self.suffix = suffix
        self.onChange = onChange
    }

    /// Starts to watch, now or as soon as the directory exists.
    package func start() {
        state.withLock { state in
            if state == .off { state = .requested }
        }
        startIfRequested(afterWriting: nil)
    }

    /// Starts to watch if that was requested and the directory exists.
    ///
    /// Call it after this process has written the file `name`, which may have created the
    /// directory. If the watch starts only now, it has missed that write, so this reports it.
    func startIfRequested(afterWriting name: String?) {
        let isStarted = state.withLock { state in
            guard state == .requested else { return false }
            let descriptor = inotify_init1(Int32(IN_CLOEXEC))
            guard descriptor >= 0 else { return false }
            // A file is replaced durably by a rename.
            let watch = inotify_add_watch(descriptor, directory, UInt32(IN_MOVED_TO))
            guard watch >= 0, SystemThread.start({ self.read(from: descriptor) }) else {
                close(descriptor)
                return false
            }
            state = .running
            return true
        }
        if isStarted, let name { onChange(name) }
    }

    private func read(from descriptor: Int32) {
        let headerSize = MemoryLayout<inotify_event>.size
        var buffer = [UInt8](repeating: 0, count: 1 << 14)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            var position = 0
            while position + headerSize <= count {
                let event = buffer.withUnsafeBytes {
                    $0.loadUnaligned(fromByteOffset: position, as: inotify_event.self)
                }
                let name = buffer[(position + headerSize)...].prefix(Int(event.len))
                position += headerSize + Int(event.len)
                replaced(String(decoding: name.prefix { $0 != 0 }, as: UTF8.self))
            }
        }
    }

    private func replaced(_ file: String) {
        guard file.hasSuffix(suffix), !file.hasPrefix(".") else { return }
        onChange(String(file.dropLast(suffix.count)))
    }
}
