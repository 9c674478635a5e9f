import Domain

/// A row of a week: what happens in an interval, or on a whole day.
struct WeekRow {
    enum Content {
        /// The value is the number of free seats, if there are several.
        case free(Int?)
        /// May be free or taken, because bookings are not known.
        case unconfirmed
        case booked(WeekBooking)
        /// Taken by a booking that is not listed, or by a hold.
        case taken
        case pause
        case past
        /// Cannot be booked for a different reason, such as a lead time.
        case unavailable
        /// The salon is closed on that day.
        case closed
        /// The staff member does not work on that day.
        case dayOff
    }

    let start: Timestamp
    /// The end; nil for a whole day.
    let end: Timestamp?
    let content: Content
}

/// A booked appointment in a week.
struct WeekBooking {
    let appointment: Appointment
    /// Whether it was booked by this caller.
    let isOwn: Bool
}
