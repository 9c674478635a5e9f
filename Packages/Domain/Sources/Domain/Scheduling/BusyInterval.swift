/// An interval in which a staff member or seats of a salon are taken.
public struct BusyInterval: Sendable, Hashable {
    /// The start.
    public var start: Timestamp
    /// The end, exclusive.
    public var end: Timestamp
    /// The id of the staff member who is taken; nil if seats are taken, or if the staff member is
    /// not known.
    public var staffID: Optional<String>
    /// The number of seats; 1 if a staff member is taken.
    public var seats: Int

    /// Creates an interval.
    public init(start: Timestamp, end: Timestamp, staffID: String? = nil, seats: Int = 1) {
        self.start = start
        self.end = end
        self.staffID = staffID
        self.seats = seats
    }

    /// The time that an appointment takes, including the buffers that its service had when it was
    /// booked, or has now if the server does not report them.
    public init(of appointment: Appointment, at salon: Salon) {
        self.init(of: appointment, appointment.service(at: salon), at: salon)
    }

    private init(of appointment: Appointment, _ service: Service?, at salon: Salon) {
        let start = appointment.booking.time.instant
        let minutes = service?.minutes ?? salon.appointmentMinutes
        let end =
            appointment.endTime?.instant ?? start.advanced(bySeconds: Self.seconds(minutes))
        self.init(
            start: start.advanced(bySeconds: -Self.seconds(service?.bufferBefore ?? 0)),
            end: max(start, end).advanced(bySeconds: Self.seconds(service?.bufferAfter ?? 0)),
            staffID: appointment.booking.options.staffID,
            seats: max(appointment.booking.options.seats, 1)
        )
    }

    /// The times that `appointments` take, in the same order. This is faster than creating them one
    /// by one.
    public static func list(of appointments: [Appointment], at salon: Salon) -> [BusyInterval] {
        let services = Dictionary(salon.services.map { ($0.id, $0) }) { first, _ in first }
        return appointments.map { appointment in
            let id = appointment.booking.options.serviceID
            let booked = appointment.bookedService.flatMap { $0.id == id ? $0 : nil }
            return BusyInterval(of: appointment, booked ?? id.flatMap { services[$0] }, at: salon)
        }
    }

    private static func seconds(_ minutes: Int) -> Int64 {
        Int64(min(max(minutes, 0), 1_440)) * 60
    }
}

/// How the times of appointments are compared.
public enum TimePrecision: Sendable, Hashable {
    /// Times are compared by their exact instants.
    case exact
    /// Times are compared in grains: intervals of five minutes, counted from the Unix epoch. An
    /// appointment takes every grain that it touches.
    case grains

    /// The length of a grain, in seconds.
    public static let grainSeconds: Int64 = 300

    /// The start of the time that is taken by something that starts at `start`.
    public func start(of start: Timestamp) -> Timestamp {
        switch self {
        case .exact: start
        case .grains: start.advanced(bySeconds: -Self.secondsIntoGrain(start))
        }
    }

    /// The end of the time that is taken by something that ends at `end`.
    public func end(of end: Timestamp) -> Timestamp {
        guard self == .grains else { return end }
        let seconds = Self.secondsIntoGrain(end)
        return seconds == 0 ? end : end.advanced(bySeconds: Self.grainSeconds - seconds)
    }

    private static func secondsIntoGrain(_ instant: Timestamp) -> Int64 {
        let remainder = instant.secondsSince1970 % grainSeconds
        return remainder < 0 ? remainder + grainSeconds : remainder
    }
}
