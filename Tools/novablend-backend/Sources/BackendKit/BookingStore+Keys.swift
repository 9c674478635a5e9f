import Domain

extension BookingStore {
    /// What the database has about an idempotency key.
    enum KeyRecord {
        case unused, voided
        case used(request: [Database.Value], response: [UInt8])
    }

    /// How long a key is retained after its first use: 60 days, in seconds.
    private static let keyRetention: Int64 = 60 * 86_400

    /// Finds some of the keys that were first used before a time. Each new key deletes as many, so
    /// expired ones never accumulate, and no request waits for many deletions.
    static let expiredKeys = """
        SELECT rowid FROM idempotency WHERE created_at < ? ORDER BY created_at LIMIT 16
        """

    /// A key that has expired counts until it is deleted: repeating its request is still safe then.
    static func record(of key: String, in database: borrowing Database) throws -> KeyRecord {
        let rows = try database.query(
            "SELECT method, path, body, response FROM idempotency WHERE key = ?",
            [.text(key)]
        )
        guard let row = rows.first else { return .unused }
        guard let response = row[3].blob else { return .voided }
        return .used(request: Array(row[..<3]), response: response)
    }

    /// Stores a key with the request that used it and its response; both are nil for a voided key.
    func store(
        _ key: String,
        _ request: ServerRequest? = nil,
        response: [UInt8]? = nil,
        in database: borrowing Database
    ) throws {
        let now = clock.now
        _ = try database.query(
            "DELETE FROM idempotency WHERE rowid IN (\(Self.expiredKeys))",
            [.integer(now.advanced(bySeconds: -Self.keyRetention).secondsSince1970)]
        )
        let values = request.map(Self.values) ?? [.null, .null, .null]
        _ = try database.query(
            """
            INSERT INTO idempotency (key, created_at, method, path, body, response)
            VALUES (?, ?, ?, ?, ?, ?)
            """,
            [.text(key), .integer(now.secondsSince1970)] + values
                + [response.map { .blob($0) } ?? .null]
        )
    }

    /// What makes two requests with one key the same.
    static func values(of request: ServerRequest) -> [Database.Value] {
        [.text(request.method), .text(request.path), .blob(request.body)]
    }
}
