import Glibc
import SystemSupport

/// The servers of the tests, which `Tools/Scripts/with-postgres.sh` provides.
public enum TestServers {
    /// A program has failed, or there is no server.
    public struct Failure: Error, CustomStringConvertible {
        /// What has failed.
        public let description: String
    }

    /// Whether the tests can run.
    public static let exist = getenv("NOVABLEND_POSTGRES") != nil

    /// The directory of the clusters.
    public static var directory: String {
        get throws {
            guard let path = getenv("NOVABLEND_POSTGRES") else {
                throw Failure(description: "NOVABLEND_POSTGRES is not set")
            }
            return String(cString: path)
        }
    }

    /// The URL of the database that the tests share.
    public static var shared: String {
        get throws { url(of: "\(try directory)/main") }
    }

    /// The URL of a new, empty schema of the database with this URL; nil for the shared one.
    public static func newSchema(on database: String? = nil) throws -> String {
        let name = "test_\(UInt64.random(in: 0...UInt64.max))"
        let url = try database ?? shared
        try run(["\(try directory)/bin/psql", "--quiet", url, "--command=CREATE SCHEMA \(name)"])
        // A migration disconnects all clients with the same name.
        return "\(url)&options=-csearch_path%3D\(name)&application_name=\(name)"
    }

    /// The URL of a database of a cluster.
    public static func url(of cluster: String, database: String = "postgres") -> String {
        "postgresql:///\(database)?host=\(cluster)&user=novablend"
    }

    /// Starts a program as the owner of the clusters, which is not root, and waits for its end.
    public static func run(_ words: [String]) throws {
        let id = try start(words)
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
        if status != 0 { throw Failure(description: "\(words) failed") }
    }

    /// Starts a program as the owner of the clusters, and returns the id of its process.
    public static func start(_ words: [String]) throws -> Int32 {
        let setpriv = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
        return try ProcessSpawner((geteuid() == 0 ? setpriv : []) + words).spawn()
    }
}
