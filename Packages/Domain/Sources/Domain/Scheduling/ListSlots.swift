/// The use case that lists a salon's slots. They come from the server, or are computed from the
/// opening hours and the known appointments.
///
/// A slot is listed as available only if the scheduling rules allow it.
public struct ListSlots: Sendable {
    /// A request for slots.
    public struct Request: Sendable, Hashable {
        /// The salon.
        public var salonID: SalonID
        /// The start of the range.
        public var start: RequestedTime
        /// The end of the range, exclusive: slots begin before it.
        public var end: RequestedTime
        /// A time to explain: which rule blocks it?
        public var explain: RequestedTime?

        /// Makes a request.
        public init(
            salonID: SalonID,
            start: RequestedTime,
            end: RequestedTime,
            explain: RequestedTime? = nil
        ) {
            self.salonID = salonID
            self.start = start
            self.end = end
            self.explain = explain
        }
    }

    let server: any SlotSource
    let appointments: ResourceLoader<[Appointment]>
    let ownBookings: OwnBookings
    let salons: any SalonDirectory
    let zones: any ZoneSource
    let clock: any WallClock

    /// Composes the use case.
    public init(
        server: any SlotSource,
        appointments: ResourceLoader<[Appointment]>,
        ownBookings: OwnBookings,
        salons: any SalonDirectory,
        zones: any ZoneSource,
        clock: any WallClock
    ) {
        self.server = server
        self.appointments = appointments
        self.ownBookings = ownBookings
        self.salons = salons
        self.zones = zones
        self.clock = clock
    }

    /// Lists the slots of `request`.
    public func list(_ request: Request) async throws(AvailabilityError) -> Availability {
        let salon = try await salon(request.salonID)
        let clock = try clock(of: salon, for: request)
        let schedule = Schedule(of: salon, on: clock)
        let range = try range(of: request, on: clock)
        let question = try question(of: request, by: schedule)
        if let offered = try await offered(range, by: schedule) {
            return try await availability(offered, range, question, schedule)
        }
        return try await compute(range, question, schedule)
    }

    /// A time to explain, and the schedule that decides about it.
    struct Question {
        var time: AppointmentTime
        var schedule: Schedule
    }

    /// Without a time zone, a time is checked on the clock of its own offset, like a booking.
    private func question(
        of request: Request,
        by schedule: Schedule
    ) throws(AvailabilityError) -> Question? {
        guard let explain = request.explain else { return nil }
        let time = try Self.read(explain, "explain", on: schedule.clock)
        if schedule.clock.zone != nil { return Question(time: time, schedule: schedule) }
        let own = SalonClock.offset(minutes: time.offsetMinutes)
        return Question(time: time, schedule: Schedule(of: schedule.salon, on: own))
    }

    private func clock(
        of salon: Salon,
        for request: Request
    ) throws(AvailabilityError) -> SalonClock {
        let offset = request.start.offsetMinutes
        do throws(UnknownZoneError) {
            return try SalonClock(of: salon, zones: zones, offsetMinutes: offset)
        } catch {
            throw .zoneUnknown(error.zone)
        }
    }

    private func salon(_ id: SalonID) async throws(AvailabilityError) -> Salon {
        switch await salons.salon(id) {
        case .known(let salon, _): return salon
        case .absent: throw .salonNotFound(id)
        case .unknown:
            throw .load(
                .server(.connectivity(reason: "nothing is known of the salon without a connection"))
            )
        }
    }

    /// A range lies between instants, so a time with an offset may be on any clock.
    private func range(
        of request: Request,
        on clock: SalonClock
    ) throws(AvailabilityError) -> Range {
        let from = clock.time(at: try Self.instant(request.start, "start", on: clock))
        let to = clock.time(at: try Self.instant(request.end, "end", on: clock))
        guard (0...Schedule.maximumRangeSeconds).contains(to.instant.seconds(since: from.instant))
        else {
            throw .invalidRange(reason: "must be 0 to 31 days after \"start\"")
        }
        return (from, to)
    }

    private static func instant(
        _ requested: RequestedTime,
        _ field: String,
        on clock: SalonClock
    ) throws(AvailabilityError) -> Timestamp {
        if case .wallClock(let time) = requested { return time.instant }
        return try read(requested, field, on: clock).instant
    }

    static func read(
        _ requested: RequestedTime,
        _ field: String,
        on clock: SalonClock
    ) throws(AvailabilityError) -> AppointmentTime {
        do throws(InvalidTimeError) {
            return try clock.time(of: requested)
        } catch {
            throw .invalidTime(field: field, error)
        }
    }
}

extension RequestedTime {
    /// The offset that the request states; 0 if it states none.
    fileprivate var offsetMinutes: Int {
        if case .wallClock(let time) = self { time.offsetMinutes } else { 0 }
    }
}
