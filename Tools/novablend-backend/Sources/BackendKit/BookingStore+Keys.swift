import Domain
import HTTPServing

extension BookingStore {
    /// What the database contains about an idempotency key.
    enum KeyRecord {
        case unused, voided
        case used(request: [Database.Value], response: [UInt8])
    }

    /// How long a key is retained after its first use: 60 days, in seconds.
    private static let keyRetention: Int64 = 60 * 86_400

    /// Finds at most 16 keys that were first used before a time. Each new key deletes that many, so
    /// expired keys do not accumulate, and no request waits for a long deletion.
    static let expiredKeys = """
        SELECT rowid FROM idempotency WHERE created_at < ? ORDER BY created_at LIMIT 16
        """

    /// Looks up a key. An expired key remains valid until it is deleted, so it is still safe to
    /// repeat its request.
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

    /// The values that must match when a key is used again: method, path, and body.
    static func values(of request: ServerRequest) -> [Database.Value] {
        [.text(request.method), .text(request.path), .blob(request.body)]
    }
}
