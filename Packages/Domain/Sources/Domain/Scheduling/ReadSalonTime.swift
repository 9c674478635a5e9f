/// The use case that finds the instant which somebody means by a time at a salon.
public struct ReadSalonTime: Sendable {
    private let salons: any SalonDirectory
    private let zones: any ZoneSource

    /// Composes the use case.
    public init(salons: any SalonDirectory, zones: any ZoneSource) {
        self.salons = salons
        self.zones = zones
    }

    /// The clock of the zone of the salon `id`; nil if it is not known to have a zone, or the zone is
    /// not known here.
    public func zonedClock(of id: SalonID) async -> SalonClock? {
        clock(of: await salons.salon(id))
    }

    private func clock(of lookup: SalonLookup) -> SalonClock? {
        if case .known(let salon, _) = lookup { zonedClock(of: salon) } else { nil }
    }

    /// Reads `requested` for a booking at the salon `id`, and returns the salon's clock with it.
    ///
    /// A cached salon is reloaded before a time is rejected because of its zone.
    public func read(
        _ requested: RequestedTime,
        at id: SalonID
    ) async throws(InvalidTimeError) -> (time: AppointmentTime, clock: SalonClock?) {
        let lookup = await salons.salon(id)
        let clock = clock(of: lookup)
        do throws(InvalidTimeError) {
            return (try read(requested, on: clock), clock)
        } catch {
            guard case .known(_, isCurrent: false) = lookup else { throw error }
        }
        let reloaded = self.clock(of: await salons.reloadedSalon(id)) ?? clock
        return (try read(requested, on: reloaded), reloaded)
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
    ) throws(InvalidTimeError) -> AppointmentTime {
        if case .wallClock(let time) = requested { return time }
        return try (clock ?? .offset(minutes: 0)).read(requested)
    }
}
