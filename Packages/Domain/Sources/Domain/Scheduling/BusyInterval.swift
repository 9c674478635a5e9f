/// An interval in which a staff member or seats of a salon are taken.
public struct BusyInterval: Sendable, Hashable {
    /// The start.
    public var start: Timestamp
    /// The end, exclusive.
    public var end: Timestamp
    /// The id of the staff member; nil if seats are taken, or if it is not known who is.
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

    /// Creates an interval with a length of `minutes`, clamped to 0...1,440.
    public init(start: Timestamp, minutes: Int) {
        self.init(start: start, end: start.advanced(bySeconds: Self.seconds(minutes)))
    }

    /// The time that an appointment takes, including the buffers that its service has now.
    public init(of appointment: Appointment, at salon: Salon) {
        let booking = appointment.booking
        let service = booking.options.serviceID.flatMap { id in
            salon.services.first { $0.id == id }
        }
        let start = booking.time.instant
        let minutes = service?.minutes ?? salon.appointmentMinutes
        let end =
            appointment.endTime?.instant ?? start.advanced(bySeconds: Self.seconds(minutes))
        self.init(
            start: start.advanced(bySeconds: -Self.seconds(service?.bufferBefore ?? 0)),
            end: max(start, end).advanced(bySeconds: Self.seconds(service?.bufferAfter ?? 0)),
            staffID: booking.options.staffID,
            seats: max(booking.options.seats, 1)
        )
    }

    private static func seconds(_ minutes: Int) -> Int64 {
        Int64(min(max(minutes, 0), 1_440)) * 60
    }
}
