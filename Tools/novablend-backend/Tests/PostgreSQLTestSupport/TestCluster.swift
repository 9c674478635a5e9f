import Foundation

/// A cluster that one test starts and stops.
public final class TestCluster: Sendable {
    /// The directory of its files and of its socket.
    public let directory: String
    private let bin: String

    /// The URL of its database `postgres`.
    public var url: String { TestServers.url(of: directory) }

    /// Creates a cluster that does not run yet: a new one, or a standby of another cluster that runs.
    /// Its directory is a new one in `parent`, or beside those of the other tests.
    public init(standbyOf primary: TestCluster? = nil, in parent: String? = nil) throws {
        let servers = try TestServers.directory
        bin = "\(servers)/bin"
        directory = "\(parent ?? servers)/cluster_\(UInt64.random(in: 0...UInt64.max))"
        if let primary {
            try TestServers.run([
                "\(bin)/pg_basebackup", "--pgdata", directory, "--dbname", primary.url,
                "--write-recovery-conf", "--checkpoint=fast",
            ])
            unlockSocket()
        } else {
            try TestServers.run(["cp", "-a", "\(servers)/template", directory])
        }
    }

    /// A cluster whose files are a base backup.
    public init(at directory: String) throws {
        bin = "\(try TestServers.directory)/bin"
        self.directory = directory
        unlockSocket()
    }

    /// Deletes the lock of the socket, which a backup contains.
    private func unlockSocket() { unlink("\(directory)/.s.PGSQL.5432.lock") }

    deinit {
        guard isRunning else { return }
        try? send(SIGCONT)
        try? stop(.immediate)
    }

    /// Whether the server of the cluster runs, or has been killed.
    public var isRunning: Bool { access("\(directory)/postmaster.pid", F_OK) == 0 }

    /// How a server stops.
    public enum StopMode: String, Sendable {
        /// Clients are disconnected, and their transactions are rolled back.
        case fast
        /// The server ends without a checkpoint, as if it were killed.
        case immediate
    }

    /// Starts the server with `settings`, such as `fsync=off`, and waits until it accepts connections.
    public func start(_ settings: [String] = []) throws {
        let options = (["-k \(directory)"] + settings.map { "-c \($0)" }).joined(separator: " ")
        try control(["start", "--log", "\(directory)/log", "--options", options])
    }

    /// Stops the server and waits until it has ended.
    public func stop(_ mode: StopMode = .fast) throws {
        try control(["stop", "--mode", mode.rawValue])
    }

    /// Stops all processes of the server where they are, so that nothing that it was sent is answered.
    public func suspend() throws { try send(SIGSTOP) }

    /// Lets the processes go on.
    public func resume() throws { try send(SIGCONT) }

    /// Sends a signal to the server and to the processes that it has started.
    private func send(_ signal: Int32) throws {
        let lock = try String(contentsOfFile: "\(directory)/postmaster.pid", encoding: .utf8)
        let server = lock.prefix { $0 != "\n" }
        guard let id = Int32(server) else { return }
        // Once it is stopped, it starts no other process.
        kill(id, signal)
        let path = "/proc/\(id)/task/\(id)/children"
        let children = try String(contentsOfFile: path, encoding: .utf8).split(separator: " ")
        for child in children.compactMap({ Int32($0) }) { kill(child, signal) }
    }

    /// Promotes the standby to a primary.
    public func promote() throws { try control(["promote"]) }

    private func control(_ words: [String]) throws {
        try TestServers.run(
            ["\(bin)/pg_ctl"] + words + ["--pgdata", directory, "--wait", "--silent"]
        )
    }
}
