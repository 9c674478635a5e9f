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
        let explained = search.explained.map { explained in
            (explained, nearby.slots.first { $0.start.instant == explained.time.instant })
        }
        let isAsked = explained.map { $0.1.map(\.isAnyoneTaken) ?? true } ?? false
        let own = await own(ifTaken: slots + nearby.slots, isAsked: isAsked, search)
        return Availability(
            search: search,
            now: search.schedule.clock.time(at: clock.now),
            slots: slots,
            source: .server,
            own: own,
            explanation: explained.map { time, slot in
                explain(time, search, by: slot, nearby.buffers, own, free: nearby.free)
            }
        )
    }

    /// The slot at an explained time if the server lists one, and free times to book instead.
    private struct Nearby {
        var slots: [Slot] = []
        var buffers: [BufferConflict] = []
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
        var nearby = Nearby(slots: listed.slots, buffers: listed.buffers ?? [])
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
            alternatives.add(more.slots.free(in: range, on: schedule.clock))
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
    ) async throws(Failure) -> SlotList? {
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
        if case .slots(let list) = found { return list }
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
        let own = own(among: booked, search)
        let busy = BusyInterval.list(of: booked, at: schedule.salon)
        let now = clock.now
        let slots = search.range.parts(on: schedule.clock).flatMap { part in
            schedule.slots(
                for: search.requirement,
                from: part.start.instant,
                to: part.end.instant,
                busy: busy,
                now: now,
                isExplained: search.request.isExplained
            )
        }
        var availability = Availability(
            search: search,
            now: schedule.clock.time(at: now),
            slots: slots,
            source: .computed(appointments: known.provenance),
            own: own
        )
        if let explained = search.explained {
            availability.explanation = explain(
                explained,
                search,
                by: availability.areBookingsKnown ? booked : nil,
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

    /// What the caller has booked and holds at the salon. Loads the appointments only if a slot is
    /// taken, or if it `isAsked` why a time may not be free. If they cannot be loaded, it stays unknown
    /// whether the caller took it.
    private func own(
        ifTaken slots: [Slot],
        isAsked: Bool,
        _ search: Search
    ) async -> Availability.Own {
        let (schedule, now) = (search.schedule, clock.now)
        var window = BookingWindow(of: schedule.salon, on: schedule.clock, now: now)
        let isAnyTaken = slots.contains { slot in
            let start = slot.start.instant
            if slot.isAvailable { return false }
            return search.areRulesKnown ? window.contains(start) : start > now
        }
        guard isAnyTaken || isAsked, let known = try? await appointments.load(.cacheFirst) else {
            return own(among: [], search)
        }
        return own(among: Self.booked(known.value, search), search)
    }

    private func own(among booked: [Appointment], _ search: Search) -> Availability.Own {
        Availability.Own(
            bookings: ownBookings.bookings(among: booked),
            holds: ownHolds.holds(at: search.schedule.salon.id, now: clock.now)
        )
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

extension Slot {
    /// Whether the slot is taken, or at least one of the staff members is.
    fileprivate var isAnyoneTaken: Bool {
        !isAvailable || staff?.contains { $0.rule == BlockingRule.taken.name } == true
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
        _ buffers: [BufferConflict],
        _ own: Availability.Own,
        free: [AppointmentTime]
    ) -> Availability.Explanation {
        let (instant, schedule) = (explained.time.instant, explained.schedule)
        let rule = schedule.rule(blocking: instant, for: search.requirement, now: clock.now)
        var verdict: Availability.Verdict =
            switch (slot?.isAvailable, rule) {
            case (_, .past?): .blocked(.past)
            case (true?, _): .bookable
            case (_, let rule?) where search.areRulesKnown: .blocked(rule)
            // The server has a rule that the salon does not state.
            case (false?, _) where (slot?.free ?? 0) >= search.requirement.count: .unknown
            case (false?, _): .blocked(.taken)
            case (nil, _): .unknown
            }
        let found = own.taking(
            search.requirement.interval(from: instant),
            of: search.requirement,
            at: schedule.salon
        )
        // The server lists no slot at this time, but the caller has taken the only resource.
        if slot == nil, verdict == .unknown, search.requirement.hasOneResource,
            found.booking != nil || found.hold != nil
        {
            verdict = .blocked(.taken)
        }
        return Availability.Explanation(
            explained.time,
            verdict,
            staff: slot?.staff,
            found,
            buffers: buffers,
            free: free
        )
    }

    /// Explains a time by the appointments of the salon, which are nil if they are not known.
    func explain(
        _ explained: ExplainedTime,
        _ search: Search,
        by booked: [Appointment]?,
        _ own: Availability.Own
    ) -> Availability.Explanation {
        let (instant, schedule, now) = (explained.time.instant, explained.schedule, clock.now)
        let requirement = search.requirement
        let busy = booked.map { BusyInterval.list(of: $0, at: schedule.salon) }
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
            explained.time,
            verdict,
            staff: busy.flatMap { schedule.staff(for: requirement, at: instant, busy: $0) },
            own.taking(requirement.interval(from: instant), of: requirement, at: schedule.salon),
            buffers: schedule.bufferConflicts(for: requirement, at: instant, among: booked ?? []),
            free: verdict == .unknown ? [] : free
        )
    }
}

extension Availability.Explanation {
    /// The explanation with the caller's own booking and hold at that time, and with the times in `free`
    /// unless the time can be booked.
    fileprivate init(
        _ time: AppointmentTime,
        _ verdict: Availability.Verdict,
        staff: [StaffAvailability]?,
        _ own: (booking: OwnBooking?, hold: OwnHold?),
        buffers: [BufferConflict],
        free: [AppointmentTime]
    ) {
        self.time = time
        self.verdict = verdict
        // The server does not list who was free in the past.
        self.staff = verdict == .blocked(.past) ? nil : staff
        // Of other rules, it does not matter who has the time.
        let mayBeTaken = [.blocked(.taken), .unknown, .bookable].contains(verdict)
        (ownBooking, ownHold) = mayBeTaken ? own : (nil, nil)
        self.buffers = mayBeTaken ? buffers : []
        alternatives = verdict == .bookable ? [] : free
    }
}
