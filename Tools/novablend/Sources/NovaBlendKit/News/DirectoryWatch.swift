import Glibc
import Synchronization

/// Tells when another process has replaced a file of a directory (inotify).
///
/// What this process writes it announces itself, so it says beforehand what to overlook.
final class DirectoryWatch: Sendable {
    private struct State {
        var isWanted = false
        var isStarted = false
        var own: [String: Int] = [:]
    }

    private let directory: String
    private let suffix: String
    private let state = Mutex(State())
    private let onChange: @Sendable (String) -> Void

    /// Will watch files in `directory` whose names end in `suffix`, and give the rest of the name.
    init(directory: String, suffix: String, onChange: @escaping @Sendable (String) -> Void) {
        self.directory = directory
        self.suffix = suffix
        self.onChange = onChange
    }

    /// Begins to watch, at the latest when ``directoryIsThere()`` says that it can.
    func start() {
        state.withLock { $0.isWanted = true }
        directoryIsThere()
    }

    /// Begins to watch if that is wanted and was not possible before.
    func directoryIsThere() {
        state.withLock { state in
            guard state.isWanted, !state.isStarted else { return }
            let descriptor = inotify_init1(Int32(IN_CLOEXEC))
            guard descriptor >= 0 else { return }
            // A durable replace ends with a rename.
            let watch = inotify_add_watch(descriptor, directory, UInt32(IN_MOVED_TO))
            state.isStarted = watch >= 0 && startThread(descriptor)
            if !state.isStarted { close(descriptor) }
        }
    }

    /// Runs `write`, which tells whether it replaced `name`, and overlooks that replacement.
    func overlooking<E: Error>(_ name: String, _ write: () throws(E) -> Bool) throws(E) {
        // Before the directory is watched there is nothing to overlook.
        let isWatching = state.withLock { state in
            if state.isStarted { state.own[name, default: 0] += 1 }
            return state.isStarted
        }
        var isWritten = false
        defer { if isWatching, !isWritten { state.withLock { $0.own[name, default: 1] -= 1 } } }
        isWritten = try write()
    }

    private func startThread(_ descriptor: Int32) -> Bool {
        let context = Unmanaged.passRetained(Reading(watch: self, descriptor: descriptor))
        var thread: pthread_t = 0
        let code = pthread_create(
            &thread,
            nil,
            { context in
                guard let context else { return nil }
                let reading = Unmanaged<Reading>.fromOpaque(context).takeRetainedValue()
                reading.watch.read(from: reading.descriptor)
                return nil
            },
            context.toOpaque()
        )
        if code == 0 { pthread_detach(thread) } else { context.release() }
        return code == 0
    }

    private final class Reading: Sendable {
        let watch: DirectoryWatch
        let descriptor: Int32

        init(watch: DirectoryWatch, descriptor: Int32) {
            self.watch = watch
            self.descriptor = descriptor
        }
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
        let name = String(file.dropLast(suffix.count))
        let isOurs = state.withLock { state in
            guard let own = state.own[name], own > 0 else { return false }
            state.own[name] = own - 1
            return true
        }
        if !isOurs { onChange(name) }
    }
}
