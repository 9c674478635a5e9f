/// A person who works at a salon and takes one appointment at a time.
public struct StaffMember: Sendable, Hashable {
    /// The identifier, unique in the salon.
    public var id: String
    /// The name.
    public var name: String
    /// The ids of the services that the person offers; nil for all.
    public var services: [String]?
    /// The working hours; nil for the salon's opening hours. The person works only while the salon
    /// is open, too.
    public var weekly: WeeklyHours?
    /// The days with different working hours.
    public var exceptions: [OpeningException]

    /// Creates a staff member.
    public init(
        id: String,
        name: String,
        services: [String]? = nil,
        weekly: WeeklyHours? = nil,
        exceptions: [OpeningException] = []
    ) {
        self.id = id
        self.name = name
        self.services = services
        self.weekly = weekly
        self.exceptions = exceptions
    }

    /// Whether the person offers the service. Everyone offers an appointment without a service.
    public func offers(_ serviceID: String?) -> Bool {
        guard let serviceID, let services else { return true }
        return services.contains(serviceID)
    }

    /// The working hours that start on `date`, in order; nil if they are the salon's opening hours.
    public func hours(on date: CalendarDate) -> [OpeningHours]? {
        exceptions.first { $0.dates.contains(date) }?.hours ?? weekly?[date.weekday]
    }
}
