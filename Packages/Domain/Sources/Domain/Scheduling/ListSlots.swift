/// The use case that lists a salon's slots. They come from the server, or are computed from the
/// opening hours and the known appointments.
///
/// A computed slot is available only if the scheduling rules allow it. The server's slots are
/// listed as they are.
public struct ListSlots: Sendable {
    /// A request for slots.
    public struct Request: Sendable, Hashable {
        /// The salon.
        public var salonID: SalonID
        /// The start of the range; nil for the day of ``explain``, or for today without one.
        public var start: RangeBound?
        /// The end of the range, exclusive: every slot starts before it. Nil for the end of the day
        /// on which the range starts.
        public var end: RangeBound?
        /// What the customer chooses.
        public var options: BookingOptions
        /// A time to explain: the result says whether it can be booked and, if not, why. Nil for
        /// none.
        public var explain: RequestedTime?
        /// The id of an appointment to move, whose own time counts as free; nil for none.
        public var movedID: String?
        /// Whether each slot states which staff members are free.
        public var isExplained: Bool

        /// Creates a request.
        public init(
            salonID: SalonID,
            start: RangeBound? = nil,
            end: RangeBound? = nil,
            options: BookingOptions = BookingOptions(),
            explain: RequestedTime? = nil,
            movedID: String? = nil,
            isExplained: Bool = false
        ) {
            self.salonID = salonID
            self.start = start
            self.end = end
            self.options = options
            self.explain = explain
            self.movedID = movedID
            self.isExplained = isExplained
        }
    }

    let server: any SlotSource
    let appointments: ResourceLoader<[Appointment]>
    let ownBookings: OwnBookings
    let ownHolds: OwnHolds
    let salons: any SalonDirectory
    let zones: any ZoneSource
    let clock: any WallClock

    /// Creates the use case.
    public init(
        server: any SlotSource,
        appointments: ResourceLoader<[Appointment]>,
        ownBookings: OwnBookings,
        ownHolds: OwnHolds = OwnHolds(),
        salons: any SalonDirectory,
        zones: any ZoneSource,
        clock: any WallClock
    ) {
        self.server = server
        self.appointments = appointments
        self.ownBookings = ownBookings
        self.ownHolds = ownHolds
        self.salons = salons
        self.zones = zones
        self.clock = clock
    }

    /// Lists the slots of `request`.
    public func list(_ request: Request) async throws(Failure) -> Availability {
        let id = request.salonID
        switch await salons.salon(id) {
        case .known(let salon, isCurrent: true): return try await list(request, at: salon)
        case .known(let salon, isCurrent: false):
            return try await list(request, atCached: salon)
        case .absent: throw .salonNotFound(id)
        case .unknown:
            throw .connectivity(reason: "the salon is not cached and could not be loaded")
        }
    }

    private func list(
        _ request: Request,
        at salon: Salon
    ) async throws(Failure) -> Availability {
        let search = try await search(for: request, at: salon)
        return try await availability(for: search, with: try await offer(for: search))
    }

    /// Lists the slots at a salon that may have changed since it was cached. If the server cannot
    /// be reached, the rules of the cached salon apply. Otherwise the salon is reloaded, unless the
    /// server states that the cached version is the current one. If the reload fails, the rules
    /// count as unknown, and the server decides.
    private func list(
        _ request: Request,
        atCached salon: Salon
    ) async throws(Failure) -> Availability {
        var search: Search
        do {
            search = try await self.search(for: request, at: salon)
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
        let request: Request
        let requirement: Requirement
        let explained: ExplainedTime?
        /// Whether the salon is known to have the rules of the schedule now.
        var areRulesKnown = true
    }

    /// A range of times on the salon's clock. The end is exclusive.
    struct TimeRange {
        let start: AppointmentTime
        let end: AppointmentTime
        /// Where the last date of the range ends. The range itself ends later if the hours of that date
        /// do, and a range that starts after its last date is in these hours.
        let lastMidnight: Timestamp

        init(start: AppointmentTime, end: AppointmentTime, lastMidnight: Timestamp? = nil) {
            (self.start, self.end) = (start, end)
            self.lastMidnight = lastMidnight ?? end.instant
        }

        /// The range in parts that are not too long for one request.
        func parts(on clock: SalonClock) -> [TimeRange] {
            if end.instant.seconds(since: start.instant) <= Schedule.maximumRangeSeconds {
                return [self]
            }
            let midnight = clock.time(at: lastMidnight)
            return [TimeRange(start: start, end: midnight), TimeRange(start: midnight, end: end)]
        }
    }

    /// A time to explain, and the schedule whose rules apply to it.
    struct ExplainedTime {
        let time: AppointmentTime
        let schedule: Schedule
    }
}

extension ListSlots {
    /// The request on the clock of `salon`. Throws if it does not fit the salon.
    func search(
        for request: Request,
        at salon: Salon
    ) async throws(Failure) -> Search {
        let clock = try clock(of: salon, for: request.timeWithOffset)
        let schedule = Schedule(of: salon, on: clock)
        let explained = try explainedTime(of: request, by: schedule)
        return Search(
            schedule: schedule,
            range: try range(of: request, explaining: explained?.time, by: schedule),
            request: request,
            requirement: try await requirement(of: request, at: schedule),
            explained: explained
        )
    }

    private func requirement(
        of request: Request,
        at schedule: Schedule
    ) async throws(Failure) -> Requirement {
        do {
            return try schedule.requirement(for: request.options)
        } catch {
            // An appointment that is moved may keep a service that the salon has removed.
            if let moved = await movedAppointment(of: request),
                let found = try? schedule.requirement(for: request.options, moving: moved)
            {
                return found
            }
            throw error
        }
    }

    /// The appointment that is to be moved; nil if the request names none, or one that is not known.
    private func movedAppointment(of request: Request) async -> Appointment? {
        guard let id = request.movedID, let known = try? await appointments.load(.cacheFirst)
        else { return nil }
        return known.value.first { $0.id == id && $0.booking.salonID == request.salonID }
    }

    /// If the salon has no time zone, its rules apply at the UTC offset of the explained time, as
    /// they do for a booking.
    private func explainedTime(
        of request: Request,
        by schedule: Schedule
    ) throws(Failure) -> ExplainedTime? {
        guard let explain = request.explain else { return nil }
        let time = try schedule.clock.time(of: explain, in: "explain", now: self.clock.now)
        let clock = try clock(of: schedule.salon, for: time)
        return ExplainedTime(time: time, schedule: Schedule(of: schedule.salon, on: clock))
    }

    private func clock(
        of salon: Salon,
        for time: AppointmentTime?
    ) throws(Failure) -> SalonClock {
        try SalonClock(of: salon, zones: zones, for: time)
    }

    private func range(
        of request: Request,
        explaining explained: AppointmentTime?,
        by schedule: Schedule
    ) throws(Failure) -> TimeRange {
        let (clock, now) = (schedule.clock, self.clock.now)
        let usual = clock.time(at: explained?.instant ?? now).localTime.date
        let startBound = request.start ?? .day(usual)
        let start = clock.time(at: try startBound.instant(on: clock, in: "start", now: now))
        let endBound = request.end ?? .day(start.localTime.date.advanced(byDays: 1))
        let midnight = try endBound.instant(on: clock, in: "end", now: now)
        // A date means the whole day, including its hours past midnight.
        var end = midnight
        if !endBound.isTime {
            let last = clock.time(at: midnight.advanced(bySeconds: -1)).localTime.date
            end = schedule.end(ofOpeningDay: last)
        }
        let range = TimeRange(start: start, end: clock.time(at: end), lastMidnight: midnight)
        try check(range, of: request, on: clock)
        return range
    }

    private func check(
        _ range: TimeRange,
        of request: Request,
        on clock: SalonClock
    ) throws(Failure) {
        let start = range.start
        if range.end.instant <= start.instant {
            let name = request.start == nil ? "today's start" : "\"start\""
            let end = Self.text(clock.time(at: range.lastMidnight))
            throw .invalidRequest(
                field: "end",
                reason: "must be after \(name), which is \(Self.text(start)), but is \(end)"
            )
        }
        if range.lastMidnight.seconds(since: start.instant) > Schedule.maximumRangeSeconds {
            let last = start.localTime.date.advanced(byDays: 31)
            let reason =
                "must be at most 31 days after the start, so not after \(last) "
                + "\(start.localTime.timeOfDay); later times need another call"
            throw .invalidRequest(field: "end", reason: reason)
        }
    }

    private static func text(_ time: AppointmentTime) -> String {
        "\(time.localTime.date) \(time.localTime.timeOfDay)"
    }
}

extension RangeBound {
    /// Whether this is a time, and not a day.
    fileprivate var isTime: Bool { if case .time = self { true } else { false } }
}

extension ListSlots.Request {
    /// The start of the range, or the time to explain if there is no start, with its UTC offset; nil if
    /// it states none.
    fileprivate var timeWithOffset: AppointmentTime? {
        let time: RequestedTime? =
            switch start {
            case .time(let time): time
            case .day, .relativeDay: nil
            case nil: explain
            }
        return switch time {
        case .wallClock(let time): time
        case .instant(let instant): AppointmentTime(instant: instant)
        case .local, .relative, nil: nil
        }
    }
}

extension ListSlots {
    /// What the server answered to a request for slots.
    enum Offer {
        case slots(SlotList)
        /// The server does not list slots.
        case unsupported
        /// The server is reached but fails, or is too slow.
        case unavailable
        case unreachable

        /// Whether a cached salon can be used without asking for it: the server states its version,
        /// or cannot be asked.
        func confirms(_ salon: Salon) -> Bool {
            switch self {
            case .slots(let list): list.salonVersion != nil && list.salonVersion == salon.version
            case .unsupported, .unavailable: false
            case .unreachable: true
            }
        }
    }

    /// Requests the slots in the range of `search`.
    func offer(for search: Search) async throws(Failure) -> Offer {
        var list = SlotList([])
        let clock = search.schedule.clock
        for part in search.range.parts(on: clock) {
            let isExplained = search.request.isExplained
            let offer = try await offer(in: part, on: clock, search, isExplained: isExplained)
            guard case .slots(let found) = offer else { return offer }
            list.append(found)
        }
        return .slots(list)
    }

    /// Requests the slots in a range. If the salon has no time zone and the UTC offset of `clock`
    /// changes within the range, sends one request for each part with a constant offset.
    func offer(
        in range: TimeRange,
        on clock: SalonClock,
        _ search: Search,
        isExplained: Bool,
        enough: Int? = nil
    ) async throws(Failure) -> Offer {
        var list = SlotList([])
        for part in clock.parts(from: range.start.instant, to: range.end.instant) {
            let available = list.slots.count(where: \.isAvailable)
            if let enough, available >= enough { break }
            let offered: OfferedSlots
            do {
                offered = try await server.slots(
                    SlotRequest(
                        salonID: search.schedule.salon.id,
                        start: clock.time(at: part.lowerBound),
                        end: clock.time(at: part.upperBound),
                        options: search.request.options,
                        movedID: search.request.movedID,
                        isExplained: isExplained,
                        enough: enough.map { $0 - available }
                    )
                )
            } catch {
                switch error {
                case .connectivity: return .unreachable
                case .unavailable: return .unavailable
                default: throw error
                }
            }
            switch offered {
            case .unsupported: return .unsupported
            case .salonNotFound: throw .salonNotFound(search.schedule.salon.id)
            case .slots(var part):
                part.slots = part.slots.map { $0.shown(on: clock) }
                list.append(part)
            }
        }
        return .slots(list)
    }
}
