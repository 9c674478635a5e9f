extension ListSlots {
    /// The range of a request, on the salon's clock. The end is exclusive.
    typealias Range = (from: AppointmentTime, to: AppointmentTime)

    /// Requests slots from the server. Returns nil if the server does not list slots, cannot be
    /// reached, or is unavailable.
    func serverSlots(
        _ range: Range,
        _ wanted: Wanted,
        by schedule: Schedule,
        isExplained: Bool = false
    ) async throws(AvailabilityError) -> [Slot]? {
        let offered: OfferedSlots
        do throws(ServerError) {
            offered = try await server.slots(
                of: schedule.salon.id,
                from: range.from,
                to: range.to,
                options: wanted.options,
                isExplained: isExplained
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
        case .slots(let slots): return slots.compactMap { applyRules(of: schedule, wanted, to: $0) }
        }
    }

    /// Returns `slot` on the salon's clock, available only if the scheduling rules allow it, too.
    /// Returns nil if the salon's hours or slot length exclude it.
    private func applyRules(
        of schedule: Schedule,
        _ wanted: Wanted,
        to slot: Slot
    ) -> Slot? {
        let start = slot.start.instant
        let rule = schedule.rule(blocking: start, for: wanted.requirement, now: clock.now)
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
        _ range: Range,
        _ wanted: Wanted,
        _ explained: ExplainedTime?,
        _ schedule: Schedule
    ) async throws(AvailabilityError) -> Availability {
        // The slots of two days show whether the time is taken and which later times are free.
        var nearby: [Slot] = []
        if let explained {
            let end = explained.time.advanced(byMinutes: 2_880)
            nearby =
                try await serverSlots(
                    (explained.time, end),
                    wanted,
                    by: explained.schedule,
                    isExplained: true
                ) ?? []
        }
        let own = await ownBookings(ifTaken: slots + nearby, schedule)
        var availability = makeAvailability(slots, range, wanted, schedule, .server, own)
        availability.explanation = explained.map { explained in
            let (time, now) = (explained.time, clock.now)
            let slot = nearby.first { $0.start.instant == time.instant }
            let rule = explained.schedule.rule(
                blocking: time.instant,
                for: wanted.requirement,
                now: now
            )
            let free = nearby.filter { $0.isAvailable && $0.start.instant > time.instant }
            return explanation(
                explained,
                wanted,
                rule ?? (slot?.isAvailable == false ? .taken : nil),
                slot?.staff,
                own,
                free.prefix(3).map(\.start)
            )
        }
        return availability
    }

    /// The availability with slots that are computed from the salon's hours and the known
    /// appointments.
    func computedAvailability(
        _ range: Range,
        _ wanted: Wanted,
        _ explained: ExplainedTime?,
        _ schedule: Schedule
    ) async throws(AvailabilityError) -> Availability {
        let known = try await knownAppointments()
        let booked = Self.booked(known.value, at: schedule.salon)
        let own = ownBookings.bookings(among: booked)
        let busy = BusyInterval.list(of: booked, at: schedule.salon)
        let requirement = wanted.requirement
        let (start, end, now) = (range.from.instant, range.to.instant, clock.now)
        let slots = schedule.slots(for: requirement, from: start, to: end, busy: busy, now: now)
        let source = Availability.Source.computed(appointments: known.provenance)
        var availability = makeAvailability(slots, range, wanted, schedule, source, own)
        availability.explanation = explained.map { explained in
            let (instant, schedule) = (explained.time.instant, explained.schedule)
            return explanation(
                explained,
                wanted,
                schedule.rule(blocking: instant, for: requirement, busy: busy, now: now),
                schedule.staff(for: requirement, at: instant, busy: busy),
                own,
                schedule.alternatives(
                    to: max(instant, now),
                    for: requirement,
                    busy: busy,
                    now: now
                )
            )
        }
        return availability
    }

    private func makeAvailability(
        _ slots: [Slot],
        _ range: Range,
        _ wanted: Wanted,
        _ schedule: Schedule,
        _ source: Availability.Source,
        _ own: [OwnBooking]
    ) -> Availability {
        Availability(
            schedule: schedule,
            requirement: wanted.requirement,
            start: range.from,
            end: range.to,
            now: schedule.clock.time(at: clock.now),
            slots: slots,
            source: source,
            ownBookings: own
        )
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
        appointments.filter { $0.booking.salonID == salon.id && $0.status == .booked }
    }

    private func explanation(
        _ explained: ExplainedTime,
        _ wanted: Wanted,
        _ rule: BlockingRule?,
        _ staff: [StaffAvailability]?,
        _ own: [OwnBooking],
        _ free: [AppointmentTime]
    ) -> Availability.Explanation {
        let (salon, start) = (explained.schedule.salon, explained.time.instant)
        let end = wanted.requirement.end(from: start)
        return Availability.Explanation(
            time: explained.time,
            rule: rule,
            staff: staff,
            ownBooking: rule == .taken
                ? own.first { $0.appointment.overlaps(start, end, at: salon) } : nil,
            alternatives: rule == nil ? [] : free
        )
    }
}
