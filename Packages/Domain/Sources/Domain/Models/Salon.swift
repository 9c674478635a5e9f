/// A salon that offers appointments (seed 000, first model).
///
/// Optional properties are declared as `Optional<T>` for speed. A `var` of type `T?` starts as nil,
/// and then the compiler initializes the whole struct twice.
public struct Salon: Sendable, Hashable {
    /// The identifier.
    public var id: SalonID
    /// The name.
    public var name: String
    /// The location, as the server words it.
    public var location: String
    /// The phone number; nil if the server states none.
    public var phone: Optional<String>
    /// The usual opening hours.
    public var hours: OpeningHours
    /// The length of an appointment in minutes; nil if the salon states none. If it is stated,
    /// appointments start at multiples of it after opening; otherwise they can start at any time.
    public var slotMinutes: Optional<Int>
    /// The time zone of the salon's wall clock. If it is nil, the opening hours apply at the UTC
    /// offset of each request.
    public var timeZone: Optional<ZoneID>
    /// The days with different hours.
    public var exceptions: [OpeningException]
    /// The minimum number of minutes between a booking and the start of its appointment.
    public var leadMinutes: Int
    /// The maximum number of days between today and an appointment; nil for no limit.
    public var furthestDays: Optional<Int>
    /// A number that increases with each change; nil if the server does not count changes.
    public var version: Optional<Int>

    /// The assumed length, in minutes, of an appointment at a salon that states none.
    public static let assumedSlotMinutes = 30

    /// The length of one appointment in minutes, stated or assumed.
    public var appointmentMinutes: Int { slotMinutes ?? Self.assumedSlotMinutes }

    /// Creates a salon.
    public init(
        id: SalonID,
        name: String,
        location: String,
        phone: String? = nil,
        hours: OpeningHours,
        slotMinutes: Int? = nil,
        timeZone: ZoneID? = nil,
        exceptions: [OpeningException] = [],
        leadMinutes: Int = 0,
        furthestDays: Int? = nil,
        version: Int? = nil
    ) {
        self.id = id
        self.name = name
        self.location = location
        self.phone = phone
        self.hours = hours
        self.slotMinutes = slotMinutes
        self.timeZone = timeZone
        self.exceptions = exceptions
        self.leadMinutes = leadMinutes
        self.furthestDays = furthestDays
        self.version = version
    }

    /// The hours that start on `date`; nil if the salon is closed on that day. If several
    /// exceptions have this date, the first one applies.
    public func hours(on date: CalendarDate) -> OpeningHours? {
        guard let exception = exceptions.first(where: { $0.date == date }) else { return hours }
        return exception.hours
    }
}
