import Foundation

/// A PgBouncer in front of a cluster.
public final class TestPooler: Sendable {
    /// Whether PgBouncer is installed, and there are servers.
    public static let isInstalled = TestServers.exist && access(program, X_OK) == 0

    private static let program = "/usr/sbin/pgbouncer"

    private let directory: String
    private let process: Int32

    /// The URL of the cluster's database `postgres` through the pooler.
    public var url: String { "postgresql:///postgres?host=\(directory)&port=6432&user=novablend" }

    /// Starts a pooler with this many connections to the server, which clients keep for a `session`, a
    /// `transaction`, or a `statement`.
    public init(_ cluster: TestCluster, mode: String, connections: Int) async throws {
        directory = "\(try TestServers.directory)/pooler_\(UInt64.random(in: 0...UInt64.max))"
        try TestServers.run(["mkdir", directory])
        let settings = """
            [databases]
            postgres = host=\(cluster.directory) user=novablend
            [pgbouncer]
            listen_port = 6432
            unix_socket_dir = \(directory)
            auth_type = any
            pool_mode = \(mode)
            default_pool_size = \(connections)
            logfile = \(directory)/log
            """
        let file = "\(directory)/pgbouncer.ini"
        try settings.write(toFile: file, atomically: false, encoding: .utf8)
        process = try TestServers.start([Self.program, "--quiet", file])
        let deadline = ContinuousClock.now + .seconds(60)
        while access("\(directory)/.s.PGSQL.6432", F_OK) != 0 {
            guard ContinuousClock.now < deadline, waitpid(process, nil, WNOHANG) == 0 else {
                throw TestServers.Failure(description: "PgBouncer does not start")
            }
            await Task.yield()
        }
    }

    deinit {
        kill(process, SIGTERM)
        waitpid(process, nil, 0)
    }
}
