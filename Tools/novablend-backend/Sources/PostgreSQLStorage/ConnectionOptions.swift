import BookingStorage
import Glibc
import NovaBlendPQ

/// The URL of a database, as libpq reads it
/// (postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING).
enum ConnectionOptions {
    /// The options that apply if the URL does not say otherwise.
    private static let defaults = [
        "target_session_attrs": "read-write",
        // For each host.
        "connect_timeout": "3",
        "keepalives_idle": "10",
        "keepalives_interval": "5",
        "keepalives_count": "3",
        "tcp_user_timeout": "15000",
        "application_name": "novablend-backend",
    ]

    /// Connects, and waits until the connection is established or has failed.
    static func open(_ url: String) throws(DatabaseError) -> OpaquePointer {
        if let failure = PQLibrary.failure { throw .failed(StorageFailure(.other, failure)) }
        var options = Array(defaults)
        // libpq expands the URL in `dbname`, and the options of the URL replace the earlier ones.
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
    ///
    /// The answer quotes nothing, because any part of an invalid URL may belong to a password. That is
    /// why it does not have the message of libpq, either.
    static func problem(of url: String) -> String? {
        // Opening the database reports it.
        if PQLibrary.failure != nil { return nil }
        guard let first = nb_pq_conninfo_parse(url) else { return form }
        defer { nb_pq_conninfo_free(first) }
        var option = first
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val {
                let keyword = String(cString: keyword)
                // libpq marks secrets, such as password and sslpassword, with an asterisk.
                if option.pointee.dispchar.map({ String(cString: $0) }) == "*" {
                    return keyword == "password"
                        ? "it must not contain a password; use PGPASSWORD, or a file as PGPASSFILE"
                        : "it must not contain \(keyword), which other users of this machine can see"
                }
                // A password with a slash that is not escaped ends as a port and a name.
                let ports = keyword == "port" ? String(cString: value).split(separator: ",") : []
                guard ports.allSatisfy({ UInt16($0) != nil }) else { return form }
            }
            option += 1
        }
        return pathHasAt(url) ? form : nil
    }

    private static let form =
        "it must be like postgresql://HOST:PORT/NAME?KEYWORD=VALUE, with special characters as %XX"

    /// Whether the part after the first slash of an address contains an `@`.
    private static func pathHasAt(_ url: String) -> Bool {
        let parts = url.prefix { $0 != "?" }.split(separator: "/", omittingEmptySubsequences: false)
        return parts.dropFirst(3).contains { $0.contains("@") }
    }
}

/// Loads libpq by name when a PostgreSQL database is first used. Its dependencies would take most
/// of the startup time of a program that stores everything in a file.
enum PQLibrary {
    /// Why libpq cannot be loaded; nil if it is loaded. The first use loads it.
    static let failure: String? = load("libpq.so.5")

    /// Loads libpq. Returns the loader's error message, or nil on success.
    private static func load(_ name: String) -> String? {
        let size = nb_pq_message_size
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: size) { message in
            guard let start = message.baseAddress else { return "" }
            return nb_pq_load(name, start)
                ? nil : "\(String(cString: start)); install the Debian package libpq5"
        }
    }
}

extension PostgreSQLBookingStore {
    /// Whether a text is the URL of a PostgreSQL database.
    public static func isURL(_ text: String) -> Bool {
        ["postgresql://", "postgres://"].contains { text.hasPrefix($0) }
    }

    /// What is wrong with the URL of a database; nil if it is valid. A URL with a password is
    /// invalid, because other users of the machine can see it.
    public static func problem(ofURL url: String) -> String? { ConnectionOptions.problem(of: url) }
}
