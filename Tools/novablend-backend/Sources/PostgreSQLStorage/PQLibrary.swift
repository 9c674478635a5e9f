import NovaBlendPQ

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
