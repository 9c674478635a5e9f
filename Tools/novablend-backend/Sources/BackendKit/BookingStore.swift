import Domain
import HTTPServing

/// The bookings in the database.
///
/// Every change runs in a transaction that excludes other writers from its start and checks for
/// overlapping bookings. So no time is sold twice, even if a salon has changed its slot length.
struct BookingStore: Sendable {
    /// An appointment and its length.
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

    /// Books an appointment of `minutes` and returns the body of the response.
    ///
    /// `check` runs only for a new booking, not for a repeated request.
    func book(
        _ booking: BookingRequest,
        minutes: Int,
        as request: ServerRequest,
        check: () throws -> Void
    ) throws -> [UInt8] {
        try performOnce(request) { database in
            try check()
            let appointment = Appointment(
                booking: booking,
                id: Identifier.random().description,
                version: 1
            )
            let key = request.idempotencyKey
            let entry = Entry(appointment: appointment, minutes: minutes, idempotencyKey: key)
            try Self.rejectOverlap(of: entry, in: database)
            try Self.insert(entry, in: database)
            return entry
        }
    }

    /// Changes the active appointment with the id, increments its version, and returns the body of
    /// the response.
    ///
    /// `change` modifies the appointment. It does not run for a repeated request.
    func change(
        _ id: String,
        as request: ServerRequest,
        _ change: (inout Entry) throws -> Void
    ) throws -> [UInt8] {
        try performOnce(request) { database in
            var entry = try Self.entry(id, in: database)
            guard entry.appointment.status == .booked else {
                throw Problem(404, "appointmentNotFound", "the appointment \(id) is cancelled")
            }
            try change(&entry)
            entry.appointment.version = (entry.appointment.version ?? 0) + 1
            if entry.appointment.status == .booked {
                try Self.rejectOverlap(of: entry, in: database)
            }
            try Self.update(entry, in: database)
            return entry
        }
    }

    /// All appointments, including cancelled ones, ordered by time.
    func entries() throws -> [Entry] {
        try database.read { try Self.entries(in: $0) }
    }

    /// The appointment with the id, even if it is cancelled.
    func entry(_ id: String) throws -> Entry {
        try database.read { try Self.entry(id, in: $0) }
    }

    /// The times of a salon's active bookings that overlap a range.
    func busyIntervals(of salon: SalonID, from: Timestamp, to: Timestamp) throws -> [BusyInterval] {
        try database.read { try Self.busyIntervals(of: salon, from: from, to: to, in: $0) }
    }
}
