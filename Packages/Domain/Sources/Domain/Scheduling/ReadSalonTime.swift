/// The use case that finds the instant which somebody means by a time at a salon.
public struct ReadSalonTime: Sendable {
    private let salons: any SalonDirectory
    private let zones: any ZoneSource

    /// Composes the use case.
    public init(salons: any SalonDirectory, zones: any ZoneSource) {
        self.salons = salons
        self.zones = zones
    }

    /// The clock of the zone of the salon `id`; nil where it is not known to have one, or the zone
    /// is not known here.
    public func zonedClock(of id: SalonID) async -> SalonClock? {
        guard case .known(let salon) = await salons.salon(id) else { return nil }
        return zonedClock(of: salon)
    }

    /// The clock of the zone of `salon`; nil where it has none, or the zone is not known here.
    public func zonedClock(of salon: Salon) -> SalonClock? {
        if salon.timeZone == nil { return nil }
        return try? SalonClock(of: salon, zones: zones, offsetMinutes: 0)
    }

    /// Reads `requested` for a booking at a salon with that clock.
    ///
    /// A time with an offset is given as it is: ``BookAppointment`` judges it, and must see a
    /// repeated request as it was.
    public func read(
        _ requested: RequestedTime,
        on clock: SalonClock?
    ) throws(TimeRefusal) -> AppointmentTime {
        if case .wallClock(let time) = requested { return time }
        return try (clock ?? .offset(minutes: 0)).read(requested)
    }
}
