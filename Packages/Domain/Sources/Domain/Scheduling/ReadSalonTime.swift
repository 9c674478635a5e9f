/// The use case that finds the instant which somebody means by a time at a salon.
public struct ReadSalonTime: Sendable {
    private let salons: any SalonDirectory
    private let zones: any ZoneSource

    /// Composes the use case.
    public init(salons: any SalonDirectory, zones: any ZoneSource) {
        self.salons = salons
        self.zones = zones
    }

    /// Reads `requested` for a booking at the salon `id`.
    ///
    /// A time with an offset is given as it is: ``BookAppointment`` judges it, and must see a
    /// repeated request as it was.
    public func read(
        _ requested: RequestedTime,
        at id: SalonID
    ) async throws(TimeRefusal) -> AppointmentTime {
        if case .wallClock(let time) = requested { return time }
        return try await clock(of: id).read(requested)
    }

    /// The zone of the salon `id`, where it is known to have one.
    public func zone(of id: SalonID) async -> ZoneID? {
        guard case .known(let salon) = await salons.salon(id) else { return nil }
        return salon.timeZone
    }

    private func clock(of id: SalonID) async -> SalonClock {
        guard case .known(let salon) = await salons.salon(id) else { return .offset(minutes: 0) }
        let clock = try? SalonClock(of: salon, zones: zones, offsetMinutes: 0)
        return clock ?? .offset(minutes: 0)
    }
}
