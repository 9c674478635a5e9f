import Glibc
import NovaBlendLinux
import Synchronization
public import SystemSupport

/// Accepts connections on a Unix socket (`unix(7)`), any number at the same time.
public final class UnixSocketListener: Sendable {
    /// The identity of a file, whatever its name.
    private struct FileIdentity: Equatable {
        let device: dev_t
        let number: ino_t
    }

    /// The path of the socket.
    public let path: String
    private let socket: Int32
    private let file: FileIdentity?
    private let isStopped = Atomic(false)
    private let hasEnded = Latch<Void>()

    /// Creates the socket. Only processes of the same user can connect to it: the file has mode
    /// 0600.
    ///
    /// Replaces a socket at `path` to which no process listens. Any other file stays.
    ///
    /// - Throws: `EADDRINUSE` if a process listens at `path` or another file is there;
    ///   `ENAMETOOLONG` for a path of more than 107 bytes; the error of `socket(2)`, `bind(2)`, or
    ///   `listen(2)`.
    public init(path: String) throws(SystemError) {
        self.path = path
        socket = try UnixSocket.make()
        do throws(SystemError) {
            // Two processes that start at the same time must not replace each other's socket.
            file = try Self.withLockedDirectory(of: path) { [socket] () throws(SystemError) in
                // Linux gives the mode of the socket to the file that `bind` creates.
                guard fchmod(socket, 0o600) == 0 else { throw SystemError(code: errno) }
                var code = try UnixSocket.withAddress(path) { bind(socket, $0, $1) }
                if code != 0, errno == EADDRINUSE, try Self.isStale(path), unlink(path) == 0 {
                    code = try UnixSocket.withAddress(path) { bind(socket, $0, $1) }
                }
                guard code == 0, listen(socket, SOMAXCONN) == 0 else {
                    throw SystemError(code: errno)
                }
                return Self.identity(of: path)
            }
        } catch {
            close(socket)
            throw error
        }
    }

    deinit { close(socket) }

    /// Accepts connections until ``stop()`` is called or the task is cancelled. Returns at once if no
    /// thread can be started.
    ///
    /// - Parameter onConnection: Receives each connection, one after the other. It must not block: it
    ///   usually starts a ``Connection``.
    public func run(_ onConnection: @escaping @Sendable (Transport) -> Void) async {
        defer { stop() }
        do {
            try SystemThread.start { [self] in
                while let socket = accept() {
                    onConnection(Transport(inputSocket: socket, outputSocket: socket))
                }
                hasEnded.set()
            }
        } catch {
            return
        }
        await hasEnded.valueUnlessCancelled()
    }

    /// Stops accepting connections and deletes the socket. Connections that were accepted before
    /// continue.
    public func stop() {
        guard !isStopped.exchange(true, ordering: .relaxed) else { return }
        _ = try? Self.withLockedDirectory(of: path) {
            if let file, file == Self.identity(of: path) { unlink(path) }
        }
        shutdown(socket, Int32(SHUT_RDWR))
    }
}

extension UnixSocketListener {
    /// Waits for a connection. Returns nil after ``stop()``.
    private func accept() -> Int32? {
        while true {
            let accepted = nb_accept(socket)
            if accepted >= 0 { return accepted }
            switch errno {
            case EINTR, ECONNABORTED: continue
            // The connection stays in the queue of the system until a descriptor or memory is free.
            case EMFILE, ENFILE, ENOBUFS, ENOMEM: usleep(10_000)
            default: return nil
            }
        }
    }

    /// Whether the file is a socket to which no process listens.
    private static func isStale(_ path: String) throws(SystemError) -> Bool {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else {
            throw SystemError(code: EADDRINUSE)
        }
        let socket = try UnixSocket.make(isBlocking: false)
        defer { close(socket) }
        let code = try UnixSocket.withAddress(path) { connect(socket, $0, $1) }
        guard code != 0, errno == ECONNREFUSED else { throw SystemError(code: EADDRINUSE) }
        return true
    }

    private static func withLockedDirectory<T>(
        of path: String,
        _ body: () throws(SystemError) -> T
    ) throws(SystemError) -> T {
        let slash = path.lastIndex(of: "/")
        let directory = slash.map { path[...$0] } ?? "."
        let descriptor = open(String(directory), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemError(code: errno) }
        defer { close(descriptor) }
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else { throw SystemError(code: errno) }
        }
        return try body()
    }

    private static func identity(of path: String) -> FileIdentity? {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        return FileIdentity(device: status.st_dev, number: status.st_ino)
    }
}
