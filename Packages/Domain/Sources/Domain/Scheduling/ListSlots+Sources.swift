extension ListSlots {
    /// The availability with the slots in `offer`, or with computed ones if it has no list.
    func availability(
        for search: Search,
        with offer: Offer
    ) async throws(Failure) -> Availability {
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
    ) async throws(Failure) -> Availability {
        var nearby = Nearby()
        if let explained = search.explained {
            nearby = try await self.nearby(explained, search) ?? Nearby(slots: slots)
        }
        let own = await ownBookings(ifTaken: slots + nearby.slots, search)
        return Availability(
            search: search,
            now: search.schedule.clock.time(at: clock.now),
            slots: slots,
            source: .server,
            ownBookings: own,
            explanation: search.explained.map { explained in
                let slot = nearby.slots.first { $0.start.instant == explained.time.instant }
                return explain(explained, search, by: slot, own, free: nearby.free)
            }
        )
    }

    /// The slot at an explained time if the server lists one, and free times to book instead.
    private struct Nearby {
        var slots: [Slot] = []
        var free: [AppointmentTime] = []
    }

    /// Nil if the server does not list slots anymore.
    private func nearby(
        _ explained: ExplainedTime,
        _ search: Search
    ) async throws(Failure) -> Nearby? {
        let (schedule, now) = (explained.schedule, clock.now)
        let start = schedule.clock.time(at: max(explained.time.instant, now))
        var alternatives =
            search.areRulesKnown
            ? schedule.alternativeSearch(
                around: start.instant,
                for: search.requirement,
                now: now
            ) : AlternativeSearch(around: start, now: now)
        // The first request covers the explained time, too, if the first range is near it.
        let end = start.instant.advanced(bySeconds: 1)
        let range = alternatives.nextRange ?? end..<end
        let isNear =
            !alternatives.looksBack
            && range.lowerBound.seconds(since: end) <= AlternativeSearch.nearSeconds
        let first = start.instant..<(isNear ? range.upperBound : end)
        // One more than is needed, because the explained time may be one of them.
        let enough = isNear ? AlternativeSearch.count + 1 : nil
        let listed = try await self.listed(in: first, explained, search, isFirst: true, enough)
        guard let listed else { return nil }
        var nearby = Nearby(slots: listed)
        let slot = nearby.slots.first { $0.start.instant == explained.time.instant }
        if slot?.isAvailable == true { return nearby }
        if isNear { alternatives.add(nearby.slots.free(in: range, on: schedule.clock)) }
        while let range = alternatives.nextRange,
            let more = try await self.listed(
                in: range,
                explained,
                search,
                isFirst: false,
                alternatives.enough
            )
        {
            alternatives.add(more.free(in: range, on: schedule.clock))
        }
        nearby.free = alternatives.times
        return nearby
    }

    /// The server's slots in a range; nil if it does not list them. Only the first ones must state who
    /// is free.
    private func listed(
        in range: Range<Timestamp>,
        _ explained: ExplainedTime,
        _ search: Search,
        isFirst: Bool,
        _ enough: Int?
    ) async throws(Failure) -> [Slot]? {
        let salonClock = explained.schedule.clock
        let found = try await offer(
            in: TimeRange(
                start: salonClock.time(at: range.lowerBound),
                end: salonClock.time(at: range.upperBound)
            ),
            on: salonClock,
            search,
            isExplained: isFirst,
            enough: enough
        )
        if case .slots(let list) = found { return list.slots }
        return nil
    }

    /// The availability with slots that are computed from the salon's hours and the known
    /// appointments.
    private func computedAvailability(
        _ search: Search
    ) async throws(Failure) -> Availability {
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

    private func knownAppointments() async throws(Failure) -> Loaded<[Appointment]> {
        do {
            return try await appointments.load()
        } catch .unavailable(let reason, let seconds) {
            // Without the appointments, the slots computed from the salon's hours are still useful.
            let error = Failure.unavailable(reason: reason, retryAfterSeconds: seconds)
            return Loaded(value: [], provenance: Provenance(source: .none, serverError: error))
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

extension [Slot] {
    /// The start times of the available slots in a range.
    fileprivate func free(
        in range: Range<Timestamp>,
        on clock: SalonClock
    ) -> [AppointmentTime] {
        filter { $0.isAvailable && range.contains($0.start.instant) }
            .map { clock.time(at: $0.start.instant) }
    }
}

extension ListSlots {
    /// Explains a time by the server's `slot` at it, and by the rules of the salon if they are known.
    func explain(
        _ explained: ExplainedTime,
        _ search: Search,
        by slot: Slot?,
        _ own: [OwnBooking],
        free: [AppointmentTime]
    ) -> Availability.Explanation {
        let (instant, schedule) = (explained.time.instant, explained.schedule)
        let rule = schedule.rule(blocking: instant, for: search.requirement, now: clock.now)
        let verdict: Availability.Verdict =
            switch (slot?.isAvailable, rule) {
            case (_, .past?): .blocked(.past)
            case (true?, _): .bookable
            case (_, let rule?) where search.areRulesKnown: .blocked(rule)
            // The server has a rule that the salon does not state.
            case (false?, _) where (slot?.free ?? 0) >= search.requirement.count: .unknown
            case (false?, _): .blocked(.taken)
            case (nil, _): .unknown
            }
        return Availability.Explanation(
            explained,
            search.requirement,
            verdict,
            staff: slot?.staff,
            own,
            free: free
        )
    }

    /// Explains a time by the times that are taken; `busy` is nil if they are not known.
    func explain(
        _ explained: ExplainedTime,
        _ search: Search,
        by busy: [BusyInterval]?,
        _ own: [OwnBooking]
    ) -> Availability.Explanation {
        let (instant, schedule, now) = (explained.time.instant, explained.schedule, clock.now)
        let requirement = search.requirement
        let taken = busy ?? []
        let rule = schedule.rule(blocking: instant, for: requirement, busy: taken, now: now)
        let verdict = rule.map(Availability.Verdict.blocked) ?? (busy == nil ? .unknown : .bookable)
        let free = schedule.alternatives(
            to: max(instant, now),
            for: requirement,
            busy: taken,
            now: now
        )
        return Availability.Explanation(
            explained,
            requirement,
            verdict,
            staff: busy.flatMap { schedule.staff(for: requirement, at: instant, busy: $0) },
            own,
            free: verdict == .unknown ? [] : free
        )
    }
}

extension Availability.Explanation {
    /// The explanation with the caller's own booking if that takes the time, and with the times in
    /// `free` unless the time can be booked.
    fileprivate init(
        _ explained: ListSlots.ExplainedTime,
        _ requirement: Requirement,
        _ verdict: Availability.Verdict,
        staff: [StaffAvailability]?,
        _ own: [OwnBooking],
        free: [AppointmentTime]
    ) {
        let (salon, start) = (explained.schedule.salon, explained.time.instant)
        let end = requirement.end(from: start)
        time = explained.time
        self.verdict = verdict
        // The server does not list who was free in the past.
        self.staff = verdict == .blocked(.past) ? nil : staff
        ownBooking =
            verdict == .blocked(.taken)
            ? own.first { $0.appointment.overlaps(start, end, at: salon) } : nil
        alternatives = verdict == .bookable ? [] : free
    }
}
