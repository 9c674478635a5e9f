import BookingStorage
import Domain

/// Reads and writes the table of tokens.
enum TokenRows {
    static let columns =
        "id, hash, role, phone, salon_id, name, created_at, expires_at, revoked_at"
    static let any = SQL("SELECT 1 FROM tokens LIMIT 1")
    static let one = SQL("SELECT \(columns) FROM tokens WHERE id = ?1")
    static let page = SQL(
        """
        SELECT \(columns) FROM tokens WHERE (created_at, id) > (?1, ?2)
        ORDER BY created_at, id LIMIT ?3
        """
    )
    private static let insert = SQL(
        "INSERT INTO tokens (\(columns)) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)"
    )
    private static let revoke = SQL(
        "UPDATE tokens SET revoked_at = ifnull(revoked_at, ?2) WHERE id = ?1"
    )

    static func exist(in database: Database) throws(StorageFailure) -> Bool {
        try database.first(any) { _ in true } ?? false
    }

    static func read(
        _ id: String,
        in database: Database
    ) throws(StorageFailure) -> StoredToken? {
        try database.rows(one) {
            $0.bind(1, id)
        } _: {
            $0.token
        }.first.map(valid)
    }

    static func page(
        after token: StoredToken?,
        limit: Int,
        in database: Database
    ) throws(StorageFailure) -> [StoredToken] {
        try database.rows(page) { row in
            row.bind(1, token?.createdAt.secondsSince1970 ?? .min)
            row.bind(2, token?.id ?? "")
            row.bind(3, Int64(limit))
        } _: {
            $0.token
        }.map(valid)
    }

    static func insert(
        _ token: StoredToken,
        in database: Database
    ) throws(StorageFailure) {
        try database.run(insert) { row in
            row.bind(1, token.id)
            row.bind(2, token.hash)
            row.bind(3, token.role.name)
            row.bind(4, token.role.phone)
            row.bind(5, token.role.salonID?.description)
            row.bind(6, token.name)
            row.bind(7, token.createdAt.secondsSince1970)
            row.bind(8, token.expiresAt?.secondsSince1970)
            row.bind(9, token.revokedAt?.secondsSince1970)
        }
    }

    /// Returns whether the token exists.
    static func revoke(
        _ id: String,
        at now: Timestamp,
        in database: Database
    ) throws(StorageFailure) -> Bool {
        try database.run(revoke) { row in
            row.bind(1, id)
            row.bind(2, now.secondsSince1970)
        }
        return database.changedRows == 1
    }

    static func valid(_ token: StoredToken?) throws(StorageFailure) -> StoredToken {
        if let token { return token }
        throw StorageFailure(.corrupted, "a stored token is invalid")
    }
}

extension Statement {
    /// The token in the current row; nil if it has no valid role.
    var token: StoredToken? {
        let role = Principal.Role(
            name: text(2),
            phone: optionalText(3),
            salonID: optionalText(4).flatMap { SalonID($0) }
        )
        guard let role else { return nil }
        return StoredToken(
            id: text(0),
            role: role,
            name: optionalText(5),
            hash: text(1),
            createdAt: Timestamp(secondsSince1970: integer(6)),
            expiresAt: optionalTimestamp(7),
            revokedAt: optionalTimestamp(8)
        )
    }

    private func optionalTimestamp(_ column: Int32) -> Timestamp? {
        isNull(column) ? nil : Timestamp(secondsSince1970: integer(column))
    }
}
