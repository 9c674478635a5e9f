/// The use case that looks up a salon to interpret and show times on its wall clock.
public struct ReadSalonTime: Sendable {
    private let salons: any SalonDirectory
    private let zones: any ZoneSource

    /// Creates the use case.
    public init(salons: any SalonDirectory, zones: any ZoneSource) {
        self.salons = salons
        self.zones = zones
    }

    /// Looks up the salon `id` in the cache if it is fresh, otherwise on the server.
    public func salon(_ id: SalonID) async -> RequestedSalon {
        await RequestedSalon(id, in: salons, zones: zones)
    }

    /// The clock of the salon's time zone; nil if the salon is unknown, states no time zone, or
    /// states one that this machine does not know.
    public func zonedClock(of id: SalonID) async -> SalonClock? {
        await salon(id).zonedClock
    }

    /// The clock of the salon's time zone; nil if it states none, or one that this machine does not
    /// know.
    public func zonedClock(of salon: Salon) -> SalonClock? {
        SalonClock(zoneOf: salon, zones: zones)
    }
}
