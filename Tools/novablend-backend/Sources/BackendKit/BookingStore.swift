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
        /// The key of the request that booked it; nil if it had none.
        var idempotencyKey: String?
    }

    let database: Database
    let clock: any WallClock

    init(_ database: Database, clock: any WallClock) throws {
        self.database = database
        self.clock = clock
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
            let appointment = Appointment(
                booking: booking,
                id: Identifier.random().description,
                version: 1
            )
            let key = request.idempotencyKey
            let entry = Entry(appointment: appointment, minutes: minutes, idempotencyKey: key)
            try Self.refuseOverlap(of: entry, in: database)
            try Self.insert(entry, in: database)
            return entry
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
            return entry
        }
    }

    /// All bookings, also the cancelled ones, in the order of their times.
    func entries() throws -> [Entry] {
        try database.read { try Self.entries(in: $0) }
    }

    /// The booking with that id, also a cancelled one.
    func entry(_ id: String) throws -> Entry {
        try database.read { try Self.entry(id, in: $0) }
    }

    /// What takes place in a salon and overlaps a range.
    func busy(in salon: SalonID, from: Timestamp, to: Timestamp) throws -> [BusyInterval] {
        try database.read { try Self.busy(salon, from: from, to: to, in: $0) }
    }
}
