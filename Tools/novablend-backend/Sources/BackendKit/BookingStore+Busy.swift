import Domain

extension BookingStore {
    static let taken = Problem(409, "slotUnavailable", "the slot is booked already")

    /// What takes place in a salon and overlaps a range; the booking `excluded` aside.
    static func busy(
        _ salon: SalonID,
        from: Timestamp,
        to: Timestamp,
        excluding excluded: String? = nil,
        in database: borrowing Database
    ) throws -> [BusyInterval] {
        // No booking is longer than a day, so that the index bounds what is looked at.
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

    /// Refuses what overlaps another booking; the time that it has itself is in nobody's way.
    static func refuseOverlap(of entry: Entry, in database: borrowing Database) throws {
        let booking = entry.appointment.booking
        let wanted = BusyInterval(start: booking.time.instant, minutes: entry.minutes)
        let overlapping = try busy(
            booking.salonID,
            from: wanted.start,
            to: wanted.end,
            excluding: entry.appointment.id,
            in: database
        )
        if !overlapping.isEmpty { throw taken }
    }
}
