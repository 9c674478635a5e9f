import Glibc
import Testing

@testable import PostgreSQLStorage

/// A cluster that one test starts and stops.
final class TestCluster: Sendable {
    let directory: String
    private let bin: String

    var url: String { TestServers.url(of: directory) }

    /// Creates a cluster that does not run yet: a new one, or a standby of another cluster that runs.
    init(standbyOf primary: TestCluster? = nil) throws {
        let parent = try #require(TestServers.directory)
        bin = "\(parent)/bin"
        directory = "\(parent)/cluster_\(UInt64.random(in: 0...UInt64.max))"
        if let primary {
            try TestServers.run([
                "\(bin)/pg_basebackup", "--pgdata", directory, "--dbname", primary.url,
                "--write-recovery-conf", "--checkpoint=fast",
            ])
            // The backup contains the lock of the primary's socket.
            unlink("\(directory)/.s.PGSQL.5432.lock")
        } else {
            try TestServers.run(["cp", "-a", "\(parent)/template", directory])
        }
    }

    deinit {
        if access("\(directory)/postmaster.pid", F_OK) == 0 { try? stop(.immediate) }
    }

    enum StopMode: String {
        /// Clients are disconnected, and their transactions are rolled back.
        case fast
        /// As if the server were killed.
        case immediate
    }

    /// Starts the server and waits until it accepts connections.
    func start() throws {
        try control(["start", "--log", "\(directory)/log", "--options", "-k \(directory)"])
    }

    func stop(_ mode: StopMode = .fast) throws { try control(["stop", "--mode", mode.rawValue]) }

    /// Makes a primary of a standby.
    func promote() throws { try control(["promote"]) }

    private func control(_ words: [String]) throws {
        try TestServers.run(
            ["\(bin)/pg_ctl"] + words + ["--pgdata", directory, "--wait", "--silent"]
        )
    }
}
