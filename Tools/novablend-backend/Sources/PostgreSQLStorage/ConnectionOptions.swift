import Glibc
import NovaBlendPQ

/// The URL of a database, as libpq reads it
/// (postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING).
enum ConnectionOptions {
    /// These apply if the URL does not say otherwise.
    private static let defaults = [
        "target_session_attrs": "read-write",
        "connect_timeout": "5",
        "keepalives_idle": "10",
        "keepalives_interval": "5",
        "keepalives_count": "3",
        "tcp_user_timeout": "15000",
        "application_name": "novablend-backend",
    ]

    /// Connects, and waits until the connection is established or has failed.
    static func open(_ url: String) throws(DatabaseError) -> OpaquePointer {
        if let failure = PQLibrary.failure { throw .libraryMissing(failure) }
        var options = Array(defaults)
        // It is expanded, and its options replace the earlier ones.
        options.append(("dbname", url))
        options.append(("client_encoding", "UTF8"))
        let keywords = options.map { strdup($0.key) } + [nil]
        let values = options.map { strdup($0.value) } + [nil]
        defer { for text in keywords + values { free(text) } }
        let opened = nb_pq_connectdb_params(
            keywords.map { UnsafePointer($0) },
            values.map { UnsafePointer($0) },
            1
        )
        guard let opened else { throw .disconnected("there is not enough memory") }
        return opened
    }

    /// What is wrong with a URL; nil if it is valid.
    static func problem(of url: String) -> String? {
        // Opening the database reports it.
        if PQLibrary.failure != nil { return nil }
        var message: UnsafeMutablePointer<CChar>?
        guard let options = nb_pq_conninfo_parse(url, &message) else {
            defer { nb_pq_freemem(message) }
            let text = message.map { String(cString: $0) } ?? "there is not enough memory"
            return text.split(whereSeparator: \.isNewline).joined(separator: " ")
        }
        defer { nb_pq_conninfo_free(options) }
        var option = options
        while let keyword = option.pointee.keyword {
            // libpq marks secrets, such as password and sslpassword, with an asterisk.
            let isSecret = option.pointee.dispchar.map { String(cString: $0) } == "*"
            if isSecret, option.pointee.val != nil {
                return switch String(cString: keyword) {
                case "password":
                    "it must not contain a password; use PGPASSWORD, or a file as PGPASSFILE"
                case let other:
                    "it must not contain \(other), which other users of this machine can see"
                }
            }
            option += 1
        }
        return nil
    }
}
