/// A salon that takes appointments (seed 000, first model).
///
/// What may be absent is spelled `Optional`: `var phone: String?` begins as nil, and then the compiler
/// makes a whole salon twice to give one.
public struct Salon: Sendable, Hashable {
    /// Who it is.
    public var id: SalonID
    /// What it is called.
    public var name: String
    /// Where it is, as the salon words it.
    public var location: String
    /// How to call it, where it can be called.
    public var phone: Optional<String>
    /// When it is open.
    public var hours: OpeningHours
    /// The length of one appointment in minutes, if the salon states one. Then appointments begin at
    /// multiples of it after opening; otherwise at any time.
    public var slotMinutes: Optional<Int>
    /// The zone of its wall clock; nil where the offset of a request is its wall clock.
    public var timeZone: Optional<ZoneID>
    /// The days that are not as the others are.
    public var exceptions: [OpeningException]
    /// How many minutes before it begins an appointment can last be booked.
    public var leadMinutes: Int
    /// How many days after today an appointment may be; nil where there is no bound.
    public var furthestDays: Optional<Int>

    /// The assumed length, in minutes, of an appointment at a salon that states none.
    public static let assumedSlotMinutes = 30

    /// The length of one appointment in minutes, stated or assumed.
    public var appointmentMinutes: Int { slotMinutes ?? Self.assumedSlotMinutes }

    /// Makes a salon.
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
        furthestDays: Int? = nil
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
    }

    /// The hours that begin on `date`, the first exception counting; nil when it is closed then.
    public func hours(on date: CalendarDate) -> OpeningHours? {
        guard let exception = exceptions.first(where: { $0.date == date }) else { return hours }
        return exception.hours
    }
}
