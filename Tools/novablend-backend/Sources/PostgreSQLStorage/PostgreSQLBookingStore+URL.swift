extension PostgreSQLBookingStore {
    /// Whether a text is the URL of a PostgreSQL database.
    public static func isURL(_ text: String) -> Bool {
        ["postgresql://", "postgres://"].contains { text.hasPrefix($0) }
    }

    /// What is wrong with the URL of a database; nil if it is valid. A URL with a password is
    /// invalid, because other users of the machine can see it.
    public static func problem(ofURL url: String) -> String? { ConnectionOptions.problem(of: url) }
}
