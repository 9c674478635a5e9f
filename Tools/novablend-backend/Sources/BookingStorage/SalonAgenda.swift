public import Domain

/// A salon and the times at which it is booked, as they are stored at one moment.
public struct SalonAgenda: Sendable, Hashable {
    /// The salon.
    public var salon: Salon
    /// The times of the active appointments and unexpired holds that overlap the requested range,
    /// including buffers, with their staff members and seats.
    public var busyIntervals: [BusyInterval]
}

extension SalonAgenda {
    /// Reads a row with the columns of a ``SalonRow``, and rows in which these are NULL and a
    /// ``BusyInterval`` follows.
    ///
    /// - Parameter sql: Its parameters are the salon, the bounds of the range
    ///   (``BusyInterval/bounds(of:)``), the current time, and the version of the salon that the program
    ///   has.
    static func query(
        _ sql: SQL,
        of salon: SalonID,
        from start: Timestamp,
        to end: Timestamp,
        now: Timestamp?,
        _ cache: DecodedSalonCache
    ) -> Query<SalonAgenda?> {
        let cached = cache.latest(salon)
        let found = Query<(salon: Salon?, busy: [BusyInterval])>(
            sql,
            [salon] + BusyInterval.bounds(of: start..<max(start, end)) + [now, cached?.version],
            into: (nil, [])
        ) { found, row throws(StorageFailure) in
            if row.isNull(0) {
                found.busy.append(BusyInterval(row: row, at: 4))
            } else {
                found.salon = try SalonRow(row: row, cached: cached, cache).salon
            }
        }
        return found.map { found in
            found.salon.map { SalonAgenda(salon: $0, busyIntervals: found.busy) }
        }
    }
}
