import Glibc
import SystemSupport
import Testing

/// The servers of the tests, which `Tools/with-postgres.sh` provides.
enum TestServers {
    /// The directory of the clusters; nil if the tests run without a server.
    static let directory = getenv("NOVABLEND_POSTGRES").map { String(cString: $0) }

    /// Whether the tests can run.
    static var exist: Bool { directory != nil }

    /// The URL of a new, empty database schema on the server that all tests share.
    static func newSchema() throws -> String {
        let directory = try #require(directory)
        return try newSchema(on: url(of: "\(directory)/main"))
    }

    /// The URL of a new, empty schema of the database with this URL.
    static func newSchema(on url: String) throws -> String {
        let name = "test_\(UInt64.random(in: 0...UInt64.max))"
        try run("CREATE SCHEMA \(name)", on: url)
        return "\(url)&options=-csearch_path%3D\(name)"
    }

    /// The URL of the database of a cluster.
    static func url(of cluster: String) -> String {
        "postgresql:///postgres?host=\(cluster)&user=novablend"
    }

    /// Starts a program as the owner of the clusters, which is not root, and waits for its end.
    static func run(_ words: [String]) throws {
        let setpriv = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
        let spawner = ProcessSpawner((geteuid() == 0 ? setpriv : []) + words)
        let id = try spawner.spawn()
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
        try #require(status == 0, "\(words) failed")
    }
}
