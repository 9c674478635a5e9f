/// The use case that looks up a salon in order to interpret and show times on its wall clock.
public struct ReadSalonTime: Sendable {
    private let salons: any SalonDirectory
    private let zones: any ZoneSource

    /// Composes the use case.
    public init(salons: any SalonDirectory, zones: any ZoneSource) {
        self.salons = salons
        self.zones = zones
    }

    /// Looks up the salon of a request, in the cache while that is fresh.
    public func salon(_ id: SalonID) async -> RequestedSalon {
        await RequestedSalon(id, in: salons, zones: zones)
    }

    /// The clock of the time zone of the salon `id`; nil unless it is known to have a zone that this
    /// machine knows.
    public func zonedClock(of id: SalonID) async -> SalonClock? {
        await salon(id).zonedClock
    }

    /// The clock of the time zone of `salon`; nil if it has none, or this machine does not know it.
    public func zonedClock(of salon: Salon) -> SalonClock? {
        if salon.timeZone == nil { return nil }
        return try? SalonClock(of: salon, zones: zones, offsetMinutes: 0)
    }
}
