import BookingStorage
import Domain

/// Reads and writes the table of tokens.
enum TokenRows {
    static let columns =
        "id, hash, role, phone, salon_id, name, created_at, expires_at, revoked_at"
    private static let any = SQL("SELECT 1 FROM tokens LIMIT 1")
    private static let one = SQL("SELECT \(columns) FROM tokens WHERE id = $1")
    private static let pageOfAll = SQL(
        """
        SELECT \(columns) FROM tokens WHERE (created_at, id) > ($1, $2)
        ORDER BY created_at, id LIMIT $3
        """
    )
    // The same token may be inserted again if it is not known whether the first attempt succeeded.
    private static let insertNew = SQL(
        """
        INSERT INTO tokens (\(columns)) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
        ON CONFLICT (id) DO UPDATE SET id = excluded.id WHERE tokens.hash = excluded.hash
        """
    )
    private static let markRevoked = SQL(
        "UPDATE tokens SET revoked_at = coalesce(revoked_at, $2) WHERE id = $1"
    )

    static var exist: Query<Bool> {
        Query(any, rows: { (rows: [QueryResult.Row]) in !rows.isEmpty })
    }

    static func read(_ id: String) -> Query<StoredToken?> {
        Query(one, id, firstRow: token)
    }

    static func page(after last: StoredToken?, limit: Int) -> Query<[StoredToken]> {
        Query(
            pageOfAll,
            last?.createdAt.secondsSince1970 ?? .min,
            last?.id ?? "",
            limit,
            eachRow: token
        )
    }

    /// Writes no row if a different token has the id.
    static func insert(_ token: StoredToken) -> Query<Int> {
        Query(
            insertNew,
            token.id,
            token.hash,
            token.role.name,
            token.role.phone,
            token.role.salonID,
            token.name,
            token.createdAt,
            token.expiresAt,
            token.revokedAt
        )
    }

    /// Writes no row if the token does not exist.
    static func revoke(_ id: String, at now: Timestamp) -> Query<Int> {
        Query(markRevoked, id, now)
    }

    static func token(from row: QueryResult.Row) throws(DatabaseError) -> StoredToken {
        let role = Principal.Role(
            name: row.text(2),
            phone: row.optionalText(3),
            salonID: row.isNull(4) ? nil : row.salonID(4)
        )
        guard let role else { throw .corrupted("a stored token is invalid") }
        return StoredToken(
            id: row.text(0),
            role: role,
            name: row.optionalText(5),
            hash: row.text(1),
            createdAt: row.timestamp(6),
            expiresAt: row.isNull(7) ? nil : row.timestamp(7),
            revokedAt: row.isNull(8) ? nil : row.timestamp(8)
        )
    }
}
