extension ListSlots {
    /// Requests the slots in `range` from the server. Returns nil if the server does not list
    /// slots, cannot be reached, or is unavailable.
    func serverSlots(
        in range: TimeRange,
        by schedule: Schedule,
        _ search: Search,
        isExplained: Bool = false,
        enough: Int? = nil
    ) async throws(AvailabilityError) -> [Slot]? {
        let offered: OfferedSlots
        do throws(ServerError) {
            offered = try await server.slots(
                of: schedule.salon.id,
                from: range.start,
                to: range.end,
                options: search.options,
                isExplained: isExplained,
                enough: enough
            )
        } catch {
            switch error {
            case .connectivity, .unavailable: return nil
            default: throw .load(.server(error))
            }
        }
        switch offered {
        case .unsupported: return nil
        case .salonNotFound: throw .salonNotFound(schedule.salon.id)
        case .slots(let slots):
            return slots.compactMap { applyRules(of: schedule, search.requirement, to: $0) }
        }
    }

    /// Returns `slot` on the salon's clock, available only if the scheduling rules allow it, too.
    /// Returns nil if the salon's hours or slot length exclude it.
    private func applyRules(
        of schedule: Schedule,
        _ requirement: Requirement,
        to slot: Slot
    ) -> Slot? {
        let start = slot.start.instant
        let rule = schedule.rule(blocking: start, for: requirement, now: clock.now)
        switch rule {
        case .closedDay, .outsideHours, .endsAfterHours, .offGrid, .notWorking: return nil
        case .past, .tooSoon, .tooFarAhead, .taken, nil: break
        }
        var slot = slot
        slot.start = schedule.clock.time(at: start)
        slot.end = schedule.clock.time(at: slot.end.instant)
        slot.isAvailable = slot.isAvailable && rule == nil
        return slot
    }

    /// The availability with `slots` from the server.
    func availability(
        with slots: [Slot],
        _ search: Search
    ) async throws(AvailabilityError) -> Availability {
        // These slots show whether the time is taken and which later times are free.
        var nearby: [Slot] = []
        if let explained = search.explained {
            let found = try await serverSlots(
                in: nearbyRange(of: explained),
                by: explained.schedule,
                search,
                isExplained: true,
                // The explained time may be one of them.
                enough: 4
            )
            nearby = found ?? slots
        }
        let own = await ownBookings(ifTaken: slots + nearby, search.schedule)
        return Availability(
            search,
            now: clock.now,
            slots: slots,
            source: .server,
            ownBookings: own,
            explanation: search.explained.map { explain($0, search, by: nearby, own) }
        )
    }

    /// A time to explain and its alternatives. If the time is in the past, the alternatives are those
    /// to the present.
    private func nearbyRange(of explained: ExplainedTime) -> TimeRange {
        let start = max(explained.time.instant, clock.now)
        let (salonClock, end) = (
            explained.schedule.clock, Schedule.alternativeRange(after: start).upperBound
        )
        return TimeRange(start: salonClock.time(at: start), end: salonClock.time(at: end))
    }

    /// The availability with slots that are computed from the salon's hours and the known
    /// appointments.
    func computedAvailability(
        _ search: Search
    ) async throws(AvailabilityError) -> Availability {
        let schedule = search.schedule
        let known = try await knownAppointments()
        let booked = Self.booked(known.value, at: schedule.salon)
        let own = ownBookings.bookings(among: booked)
        let busy = BusyInterval.list(of: booked, at: schedule.salon)
        let now = clock.now
        let slots = schedule.slots(
            for: search.requirement,
            from: search.range.start.instant,
            to: search.range.end.instant,
            busy: busy,
            now: now
        )
        var availability = Availability(
            search,
            now: now,
            slots: slots,
            source: .computed(appointments: known.provenance),
            ownBookings: own
        )
        if let explained = search.explained {
            availability.explanation = explain(
                explained,
                search,
                by: availability.areBookingsKnown ? busy : nil,
                own
            )
        }
        return availability
    }

    private func knownAppointments() async throws(AvailabilityError) -> Loaded<[Appointment]> {
        do throws(LoadError) {
            return try await appointments.load()
        } catch .server(.unavailable(let reason, let seconds)) {
            // Without the appointments, the slots computed from the salon's hours are still useful.
            let error = ServerError.unavailable(reason: reason, retryAfterSeconds: seconds)
            return Loaded(value: [], provenance: Provenance(source: .none, serverError: error))
        } catch {
            throw .load(error)
        }
    }

    /// The caller's own bookings at the salon. Loads the appointments only if a slot is taken. If
    /// they cannot be loaded, it stays unknown whether the caller took it.
    private func ownBookings(ifTaken slots: [Slot], _ schedule: Schedule) async -> [OwnBooking] {
        var window = BookingWindow(of: schedule.salon, on: schedule.clock, now: clock.now)
        let isAnyTaken = slots.contains { !$0.isAvailable && window.contains($0.start.instant) }
        guard isAnyTaken, let known = try? await appointments.load(.cacheFirst) else { return [] }
        return ownBookings.bookings(among: Self.booked(known.value, at: schedule.salon))
    }

    private static func booked(_ appointments: [Appointment], at salon: Salon) -> [Appointment] {
        appointments.filter { $0.booking.salonID == salon.id && $0.isActive }
    }
}

extension Availability {
    fileprivate init(
        _ search: ListSlots.Search,
        now: Timestamp,
        slots: [Slot],
        source: Source,
        ownBookings: [OwnBooking],
        explanation: Explanation? = nil
    ) {
        schedule = search.schedule
        requirement = search.requirement
        start = search.range.start
        end = search.range.end
        self.now = search.schedule.clock.time(at: now)
        self.slots = slots
        self.source = source
        self.ownBookings = ownBookings
        self.explanation = explanation
    }
}
