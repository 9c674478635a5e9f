import Domain

extension BookingStore {
    static let taken = Problem(409, "slotUnavailable", "the slot is already booked")

    /// The times of a salon's active bookings that overlap a range, without the booking `excluded`.
    static func busyIntervals(
        of salon: SalonID,
        from: Timestamp,
        to: Timestamp,
        excluding excluded: String? = nil,
        in database: borrowing Database
    ) throws -> [BusyInterval] {
        // No booking is longer than a day. This lower bound lets the index limit the scan.
        let rows = try database.query(
            """
            SELECT instant, minutes FROM appointments
            WHERE status = 'booked' AND salon_id = ? AND instant > ? AND instant < ?
                AND instant + minutes * 60 > ? AND id IS NOT ?
            """,
            [
                .text(salon.description),
                .integer(from.advanced(bySeconds: -86_401).secondsSince1970),
                .integer(to.secondsSince1970), .integer(from.secondsSince1970),
                .optional(excluded),
            ]
        )
        return rows.compactMap { row in
            guard let start = row[0].integer, let minutes = row[1].integer else { return nil }
            return BusyInterval(
                start: Timestamp(secondsSince1970: start),
                minutes: Int(clamping: minutes)
            )
        }
    }

    /// Throws `taken` if the entry overlaps a different booking. Its own stored time does not
    /// count.
    static func rejectOverlap(of entry: Entry, in database: borrowing Database) throws {
        let booking = entry.appointment.booking
        let requested = BusyInterval(start: booking.time.instant, minutes: entry.minutes)
        let overlapping = try busyIntervals(
            of: booking.salonID,
            from: requested.start,
            to: requested.end,
            excluding: entry.appointment.id,
            in: database
        )
        if !overlapping.isEmpty { throw taken }
    }
}
