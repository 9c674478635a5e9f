import Domain

/// The bookings in the database.
///
/// A change is made by a transaction that excludes other writers from its start, and that looks for
/// bookings that overlap it: no stretch of time is sold twice, also where slots were longer once.
struct BookingStore: Sendable {
    /// A booking and the length that was sold.
    struct Entry {
        var appointment: Appointment
        var minutes: Int
    }

    let database: Database

    init(_ database: Database) throws {
        self.database = database
        try database.transaction { try Self.prepare($0) }
    }

    /// Books `minutes`, and gives the bytes of the answer.
    ///
    /// `check` is asked only about a booking that is new.
    func book(
        _ booking: BookingRequest,
        minutes: Int,
        as request: ServerRequest,
        check: () throws -> Void
    ) throws -> [UInt8] {
        try once(request) { database in
            try check()
            let appointment = Appointment(booking: booking, id: Self.makeID(), version: 1)
            let entry = Entry(appointment: appointment, minutes: minutes)
            try Self.refuseOverlap(of: entry, in: database)
            try Self.insert(entry, in: database)
            return appointment
        }
    }

    /// Changes what takes place by the id, gives it the next version, and gives the bytes of the
    /// answer.
    ///
    /// `change` says what is another; it is not asked about a repeated request.
    func change(
        _ id: String,
        as request: ServerRequest,
        _ change: (inout Entry) throws -> Void
    ) throws -> [UInt8] {
        try once(request) { database in
            var entry = try Self.entry(id, in: database)
            guard entry.appointment.status == .booked else {
                throw Problem(404, "appointmentNotFound", "the appointment \(id) is cancelled")
            }
            try change(&entry)
            entry.appointment.version = (entry.appointment.version ?? 0) + 1
            if entry.appointment.status == .booked {
                try Self.refuseOverlap(of: entry, in: database)
            }
            try Self.update(entry, in: database)
            return entry.appointment
        }
    }

    /// All bookings, also the cancelled ones, in the order of their times.
    func appointments() throws -> [Appointment] {
        try database.read { try Self.entries(in: $0).map(\.appointment) }
    }

    /// The booking with that id, also a cancelled one.
    func appointment(_ id: String) throws -> Appointment {
        try database.read { try Self.entry(id, in: $0).appointment }
    }

    /// What takes place in a salon and overlaps a range.
    func busy(in salon: SalonID, from: Timestamp, to: Timestamp) throws -> [BusySpan] {
        try database.read { try Self.busy(salon, from: from, to: to, in: $0) }
    }

    private static func makeID() -> String {
        var random = SystemRandomNumberGenerator()
        return SalonID(high: random.next(), low: random.next()).description
    }
}
