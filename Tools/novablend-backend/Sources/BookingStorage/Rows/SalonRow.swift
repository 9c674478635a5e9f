import Contract
package import Domain

/// A row of the table of salons. That of a deleted salon remains, without its JSON.
package struct SalonRow: Sendable {
    /// The columns that ``init(row:at:cached:_:)`` reads.
    package static let columns = "id, version, json IS NULL, json"

    package let version: Int
    /// With its version.
    package let salon: Salon?

    /// - Parameters:
    ///   - first: The first column.
    ///   - cached: The salon, if the JSON is left out because it has this version.
    ///   - cache: Nil if the salon must not be cached.
    package init(
        row: some ColumnReader,
        at first: Int32 = 0,
        cached: Salon? = nil,
        _ cache: DecodedSalonCache?
    ) throws(StorageFailure) {
        let version = row.int(first + 1)
        self.version = version
        if row.bool(first + 2) {
            salon = nil
        } else if row.isNull(first + 3), cached?.version == version {
            salon = cached
        } else if let id = row.salonID(first) {
            func decode() -> Salon? {
                var salon = try? SalonCodec.decode(Array(row.text(first + 3).utf8))
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

    /// What has changed, if the row is that of the change of a salon.
    package static func change(
        in row: some ColumnReader,
        _ cache: DecodedSalonCache
    ) throws(StorageFailure) -> StoredChange.Element {
        guard let id = row.salonID(0) else { throw invalid }
        return try SalonRow(row: row, cache).salon.map { .salon($0) } ?? .deletedSalon(id)
    }
}

extension Salon {
    /// The salon in the version after that of its row, and its JSON.
    package func next(after row: SalonRow?) -> (salon: Salon, json: String) {
        var salon = self
        salon.version = (row?.version ?? 0) + 1
        return (salon, String(decoding: SalonCodec.encode(salon), as: UTF8.self))
    }
}
