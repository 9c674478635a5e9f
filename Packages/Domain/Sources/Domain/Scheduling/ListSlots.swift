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
        public var start: RangeBound
        /// The end of the range, exclusive: every slot starts before it.
        public var end: RangeBound
        /// What the customer chooses.
        public var options: BookingOptions
        /// A time to explain: the result says whether it can be booked and, if not, why. Nil for
        /// none.
        public var explain: RequestedTime?

        /// Creates a request.
        public init(
            salonID: SalonID,
            start: RangeBound,
            end: RangeBound,
            options: BookingOptions = BookingOptions(),
            explain: RequestedTime? = nil
        ) {
            self.salonID = salonID
            self.start = start
            self.end = end
            self.options = options
            self.explain = explain
        }
    }

    let server: any SlotSource
    let appointments: ResourceLoader<[Appointment]>
    let ownBookings: OwnBookings
    let salons: any SalonDirectory
    let zones: any ZoneSource
    let clock: any WallClock

    /// Creates the use case.
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
        let id = request.salonID
        switch await salons.salon(id) {
        case .known(let salon, isCurrent: true): return try await list(request, at: salon)
        case .known(let salon, isCurrent: false):
            return try await list(request, atCached: salon)
        case .absent: throw .salonNotFound(id)
        case .unknown:
            throw .load(
                .server(.connectivity(reason: "the salon is not cached and could not be loaded"))
            )
        }
    }

    private func list(
        _ request: Request,
        at salon: Salon
    ) async throws(AvailabilityError) -> Availability {
        let search = try search(for: request, at: salon)
        return try await availability(for: search, with: try await offer(for: search))
    }

    /// Lists the slots at a salon that may have changed since it was cached. If the server cannot be
    /// reached, its rules apply. Otherwise it is reloaded, unless the server states that its version
    /// is the current one. If that fails, the server decides.
    private func list(
        _ request: Request,
        atCached salon: Salon
    ) async throws(AvailabilityError) -> Availability {
        var search: Search
        do throws(AvailabilityError) {
            search = try self.search(for: request, at: salon)
        } catch {
            guard case .known(let latest, _) = await salons.reloadedSalon(salon.id) else {
                throw error
            }
            return try await list(request, at: latest)
        }
        let offer = try await offer(for: search)
        if !offer.confirms(salon) {
            let reloaded = await salons.reloadedSalon(salon.id)
            if case .known(let latest, _) = reloaded {
                if latest != salon { return try await list(request, at: latest) }
            } else {
                search.areRulesKnown = false
            }
        }
        return try await availability(for: search, with: offer)
    }

    /// A request on its salon's clock, and what the appointment needs.
    struct Search {
        let schedule: Schedule
        let range: TimeRange
        let options: BookingOptions
        let requirement: Requirement
        let explained: ExplainedTime?
        /// Whether the salon is known to have the rules of the schedule now.
        var areRulesKnown = true
    }

    /// A range of times on the salon's clock. The end is exclusive.
    struct TimeRange {
        let start: AppointmentTime
        let end: AppointmentTime
    }

    /// A time to explain, and the schedule whose rules apply to it.
    struct ExplainedTime {
        let time: AppointmentTime
        let schedule: Schedule
    }

    private func search(
        for request: Request,
        at salon: Salon
    ) throws(AvailabilityError) -> Search {
        let clock = try clock(of: salon, for: request)
        let schedule = Schedule(of: salon, on: clock)
        return Search(
            schedule: schedule,
            range: try range(of: request, on: clock),
            options: request.options,
            requirement: try requirement(of: request, at: schedule),
            explained: try explainedTime(of: request, by: schedule)
        )
    }

    private func requirement(
        of request: Request,
        at schedule: Schedule
    ) throws(AvailabilityError) -> Requirement {
        do throws(InvalidOptionsError) {
            return try schedule.requirement(for: request.options)
        } catch {
            throw .invalidOptions(error)
        }
    }

    /// If the salon has no time zone, its rules apply at the UTC offset of the explained time, as
    /// they do for a booking.
    private func explainedTime(
        of request: Request,
        by schedule: Schedule
    ) throws(AvailabilityError) -> ExplainedTime? {
        guard let explain = request.explain else { return nil }
        let time = try Self.time(of: explain, field: "explain", on: schedule.clock)
        if schedule.clock.zone != nil { return ExplainedTime(time: time, schedule: schedule) }
        let clock = SalonClock.offset(minutes: time.offsetMinutes)
        return ExplainedTime(time: time, schedule: Schedule(of: schedule.salon, on: clock))
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

    private func range(
        of request: Request,
        on clock: SalonClock
    ) throws(AvailabilityError) -> TimeRange {
        let start = clock.time(at: try Self.instant(request.start, "start", on: clock))
        let end = clock.time(at: try Self.instant(request.end, "end", on: clock))
        guard (0...Schedule.maximumRangeSeconds).contains(end.instant.seconds(since: start.instant))
        else {
            throw .invalidRange(reason: "must be 0 to 31 days after \"start\"")
        }
        return TimeRange(start: start, end: end)
    }

    private static func instant(
        _ bound: RangeBound,
        _ field: String,
        on clock: SalonClock
    ) throws(AvailabilityError) -> Timestamp {
        do throws(InvalidTimeError) {
            return try bound.instant(on: clock)
        } catch {
            throw .invalidTime(field: field, error)
        }
    }

    private static func time(
        of requested: RequestedTime,
        field: String,
        on clock: SalonClock
    ) throws(AvailabilityError) -> AppointmentTime {
        do throws(InvalidTimeError) {
            return try clock.time(of: requested)
        } catch {
            throw .invalidTime(field: field, error)
        }
    }
}
