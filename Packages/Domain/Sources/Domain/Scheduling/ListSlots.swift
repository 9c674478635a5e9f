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
    }

    /// A time to explain, and the schedule whose rules apply to it.
    struct ExplainedTime {
        let time: AppointmentTime
        let schedule: Schedule
    }
}
