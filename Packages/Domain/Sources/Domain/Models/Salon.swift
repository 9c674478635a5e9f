/// A salon that offers appointments.
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
    /// The opening hours of every day. If ``weekly`` is stated, they are only a summary: the earliest
    /// opening and the latest closing.
    public var hours: OpeningHours
    /// The opening hours of each weekday; nil if they are ``hours`` on every day.
    public var weekly: Optional<WeeklyHours>
    /// The minutes between two start times, and the length of an appointment without a service; nil
    /// if the salon states none. If it is stated, appointments start at multiples of it after
    /// opening; otherwise they can start at any time.
    public var slotMinutes: Optional<Int>
    /// The time zone of the salon's wall clock. If it is nil, the opening hours apply at the UTC
    /// offset of each request.
    public var timeZone: Optional<ZoneID>
    /// The days with different hours.
    public var exceptions: [OpeningException]
    /// The minimum number of minutes between a booking and the start of its appointment.
    public var leadMinutes: Int
    /// The maximum number of days between today and an appointment; nil if the salon states none.
    public var furthestDays: Optional<Int>
    /// How many appointments each customer may have at the salon.
    public var customerLimits: CustomerLimits
    /// The services; empty if customers cannot choose one.
    public var services: [Service]
    /// The staff members that customers can book; empty if appointments take seats instead.
    public var staff: [StaffMember]
    /// The number of appointments that can take place at the same time if there is no staff; nil if
    /// the salon states none, which means 1.
    public var seats: Optional<Int>
    /// A number that increases with each change; nil if the server does not count changes.
    public var version: Optional<Int>

    /// The assumed length, in minutes, of an appointment at a salon that states none.
    public static let assumedSlotMinutes = 30

    /// The length in minutes, stated or assumed, of an appointment without a service.
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
        customerLimits: CustomerLimits = CustomerLimits(),
        version: Int? = nil,
        weekly: WeeklyHours? = nil,
        services: [Service] = [],
        staff: [StaffMember] = [],
        seats: Int? = nil
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
        self.customerLimits = customerLimits
        self.version = version
        self.weekly = weekly
        self.services = services
        self.staff = staff
        self.seats = seats
    }

    /// The opening hours as text: ``weekly``, or else ``hours``.
    public var hoursText: String { weekly?.description ?? hours.description }

    /// The service with this id; nil if the id is nil or the salon does not have it.
    public func service(_ id: String?) -> Service? { services.first { $0.id == id } }

    /// The staff member with this id; nil if the id is nil or the salon does not have it.
    public func member(_ id: String?) -> StaffMember? { staff.first { $0.id == id } }

    /// The hours that start on `date`, in order; empty if the salon is closed on that day. If
    /// several exceptions include this date, the first one applies.
    public func hours(on date: CalendarDate) -> [OpeningHours] {
        if let exception = exceptions.first(where: { $0.dates.contains(date) }) {
            return exception.hours
        }
        return weekly?[date.weekday] ?? [hours]
    }
}

/// How many appointments each customer may have. Staff and administrators book without limits.
public struct CustomerLimits: Sendable, Hashable {
    /// The maximum number of active appointments that have not ended; nil for any number.
    public var active: Optional<Int>
    /// The maximum number of appointments that are booked within 24 hours; nil for any number.
    public var perDay: Optional<Int>

    /// Creates limits.
    public init(active: Int? = nil, perDay: Int? = nil) {
        self.active = active
        self.perDay = perDay
    }
}
