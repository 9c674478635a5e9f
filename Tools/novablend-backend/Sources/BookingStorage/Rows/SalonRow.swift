import Contract
package import Domain

/// A row of the table of salons. The row of a deleted salon remains, without its JSON.
package struct SalonRow: Sendable {
    /// The columns that ``init(row:cached:_:)`` reads.
    package static let columns = "id, version, json IS NULL, json"
    /// The columns that ``init(row:cached:_:)`` reads, without the JSON if the program has the salon
    /// in this version.
    package static func columns(unless version: String) -> String {
        "id, version, json IS NULL, CASE WHEN version = \(version) THEN NULL ELSE json END"
    }

    /// The salon with the id $1, without its JSON if it has the version $2.
    package static let one = SQL("SELECT \(columns(unless: "$2")) FROM salons WHERE id = $1")
    private static let page = SQL(
        """
        SELECT \(columns) FROM salons WHERE id > $1 AND json IS NOT NULL ORDER BY id LIMIT $2
        """
    )
    /// Fails if the table cannot be read.
    package static let check = SQL("SELECT 1 FROM salons LIMIT 1")

    package let version: Int
    /// The salon, with its version; nil if it was deleted.
    package let salon: Salon?

    /// - Parameters:
    ///   - cached: The cached salon. If its version is that of the row, the row may lack the JSON.
    ///   - cache: Nil if the salon must not be cached.
    package init(
        row: some ColumnReader,
        cached: Salon? = nil,
        _ cache: DecodedSalonCache?
    ) throws(StorageFailure) {
        let version = row.int(1)
        self.version = version
        if row.bool(2) {
            salon = nil
        } else if row.isNull(3), cached?.version == version {
            salon = cached
        } else if let id = row.salonID(0) {
            func decode() -> Salon? {
                var salon = try? SalonCodec.decode(Array(row.text(3).utf8))
                salon?.version = version
                return salon
            }
            salon = cache.map { $0.salon(id, version: version, decode: decode) } ?? decode()
            if salon == nil { throw Self.invalid }
        } else {
            throw Self.invalid
        }
    }

    private static let invalid = StorageFailure(.corrupted, "a stored salon is invalid")

    /// Reads a salon.
    ///
    /// - Parameters:
    ///   - id: The parameter `$1`: usually the id.
    ///   - cached: The salon in memory, whose JSON is not read if it has the stored version.
    ///   - sql: ``one``, or a different statement with its columns and parameters.
    package static func read(
        _ id: any SQLParameter,
        cached: Salon? = nil,
        _ cache: DecodedSalonCache?,
        _ sql: SQL = one,
        _ parameters: any SQLParameter...
    ) -> Query<SalonRow?> {
        Query(sql, [id, cached?.version] + parameters) { row throws(StorageFailure) in
            try SalonRow(row: row, cached: cached, cache)
        }
    }

    package static func page(
        after id: SalonID?,
        limit: Int,
        _ cache: DecodedSalonCache?
    ) -> Query<[Salon]> {
        let salons = Query<[Salon?]>(
            page,
            id?.description ?? "",
            limit,
            eachRow: { row throws(StorageFailure) in try SalonRow(row: row, cache).salon }
        )
        return salons.map { $0.compactMap(\.self) }
    }

    /// The elements of a page, as ``BookingStore/encodedSalons(after:limit:maximumBytes:)`` returns them.
    package static func encodedPage(
        after id: SalonID?,
        limit: Int,
        maximumBytes: Int
    ) -> Query<EncodedSalons> {
        let parameters: [any SQLParameter] = [id?.description ?? "", limit + 1]
        return Query(page, parameters, into: EncodedSalons()) {
            salons,
            row throws(StorageFailure) in
            guard !salons.hasMore else { return }
            guard salons.count < limit, salons.json.count < maximumBytes else {
                salons.hasMore = true
                return
            }
            guard let id = row.salonID(0) else { throw invalid }
            row.withBytes(3) { salons.append($0, id) }
        }
    }

    /// The change of a salon that a row describes: the salon in its present state, or its deletion.
    package static func change(
        in row: some ColumnReader,
        _ cache: DecodedSalonCache
    ) throws(StorageFailure) -> StoredChange.Element {
        guard let id = row.salonID(0) else { throw invalid }
        return try SalonRow(row: row, cache).salon.map { .salon($0) } ?? .deletedSalon(id)
    }
}

extension Salon {
    /// This salon with the version after that of `row`, and its JSON.
    package func next(after row: SalonRow?) -> (salon: Salon, json: String) {
        var salon = self
        salon.version = (row?.version ?? 0) + 1
        return (salon, String(decoding: SalonCodec.encode(salon), as: UTF8.self))
    }
}
