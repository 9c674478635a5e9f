extension ListSlots {
    /// The availability with the slots in `offer`, or with computed ones if it has no list.
    func availability(
        for search: Search,
        with offer: Offer
    ) async throws(AvailabilityError) -> Availability {
        guard case .slots(let list) = offer else { return try await computedAvailability(search) }
        var search = search
        let versions = [list.salonVersion, search.schedule.salon.version].compactMap(\.self)
        if Set(versions).count > 1 { search.areRulesKnown = false }
        return try await availability(with: list.slots, search)
    }

    /// The availability with `slots` from the server.
    private func availability(
        with slots: [Slot],
        _ search: Search
    ) async throws(AvailabilityError) -> Availability {
        // The slots near the explained time show whether it is taken and which later times are
        // free.
        var nearby: [Slot] = []
        if let explained = search.explained {
            let found = try await offer(
                in: nearbyRange(of: explained),
                on: explained.schedule.clock,
                search,
                isExplained: true,
                // Three alternatives, and the explained time itself, which may be available, too.
                enough: 4
            )
            nearby = if case .slots(let list) = found { list.slots } else { slots }
        }
        let own = await ownBookings(ifTaken: slots + nearby, search)
        return Availability(
            search: search,
            now: search.schedule.clock.time(at: clock.now),
            slots: slots,
            source: .server,
            ownBookings: own,
            explanation: search.explained.map { explain($0, search, by: nearby, own) }
        )
    }

    /// The range that contains the explained time and its alternatives. If the time is in the past,
    /// the range begins now.
    private func nearbyRange(of explained: ExplainedTime) -> TimeRange {
        let start = max(explained.time.instant, clock.now)
        let (salonClock, end) = (
            explained.schedule.clock, Schedule.alternativeRange(after: start).upperBound
        )
        return TimeRange(start: salonClock.time(at: start), end: salonClock.time(at: end))
    }

    /// The availability with slots that are computed from the salon's hours and the known
    /// appointments.
    private func computedAvailability(
        _ search: Search
    ) async throws(AvailabilityError) -> Availability {
        let schedule = search.schedule
        let known = try await knownAppointments()
        let booked = Self.booked(known.value, search)
        let own = ownBookings.bookings(among: booked)
        let busy = BusyInterval.list(of: booked, at: schedule.salon)
        let now = clock.now
        let slots = schedule.slots(
            for: search.requirement,
            from: search.range.start.instant,
            to: search.range.end.instant,
            busy: busy,
            now: now,
            isExplained: search.request.isExplained
        )
        var availability = Availability(
            search: search,
            now: schedule.clock.time(at: now),
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
        do {
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
    private func ownBookings(ifTaken slots: [Slot], _ search: Search) async -> [OwnBooking] {
        let (schedule, now) = (search.schedule, clock.now)
        var window = BookingWindow(of: schedule.salon, on: schedule.clock, now: now)
        let isAnyTaken = slots.contains { slot in
            let start = slot.start.instant
            if slot.isAvailable { return false }
            return search.areRulesKnown ? window.contains(start) : start > now
        }
        guard isAnyTaken, let known = try? await appointments.load(.cacheFirst) else { return [] }
        return ownBookings.bookings(among: Self.booked(known.value, search))
    }

    /// The appointments that take time at the salon. The time of one that is moved counts as free.
    private static func booked(
        _ appointments: [Appointment],
        _ search: Search
    ) -> [Appointment] {
        let movedID = search.request.movedID
        return appointments.filter {
            $0.booking.salonID == search.schedule.salon.id && $0.isActive
                && (movedID == nil || $0.id != movedID)
        }
    }
}
