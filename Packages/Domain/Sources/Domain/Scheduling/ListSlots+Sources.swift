extension ListSlots {
    /// The range of a request, on the salon's clock. The end is exclusive.
    typealias Range = (from: AppointmentTime, to: AppointmentTime)

    /// The slots that the server offers; nil if it offers none or cannot be reached.
    func offered(
        _ range: Range,
        by schedule: Schedule
    ) async throws(AvailabilityError) -> [Slot]? {
        let answer: OfferedSlots
        do throws(ServerError) {
            answer = try await server.slots(
                of: schedule.salon.id,
                from: range.from,
                to: range.to
            )
        } catch {
            switch error {
            case .connectivity, .unavailable: return nil
            default: throw .load(.server(error))
            }
        }
        switch answer {
        case .unsupported: return nil
        case .salonNotFound: throw .salonNotFound(schedule.salon.id)
        case .slots(let slots): return slots.compactMap { check($0, by: schedule) }
        }
    }

    /// The slot on the salon's clock; nil if the salon's hours exclude it. It is only available if
    /// the scheduling rules allow it, too.
    private func check(_ slot: Slot, by schedule: Schedule) -> Slot? {
        let rule = schedule.rule(blocking: slot.start.instant, now: clock.now)
        switch rule {
        case .closedDay, .outsideHours, .offGrid: return nil
        case .past, .tooSoon, .tooFarAhead, .taken, nil: break
        }
        return Slot(
            start: schedule.clock.time(at: slot.start.instant),
            end: schedule.clock.time(at: slot.end.instant),
            isAvailable: slot.isAvailable && rule == nil
        )
    }

    /// The availability with the slots that the server offers.
    func availability(
        _ slots: [Slot],
        _ range: Range,
        _ question: Question?,
        _ schedule: Schedule
    ) async throws(AvailabilityError) -> Availability {
        // The slots of the next two days show whether the time is taken, and what is free instead.
        var nearby: [Slot] = []
        if let question {
            let end = question.time.advanced(byMinutes: 2_880)
            nearby = try await offered((question.time, end), by: question.schedule) ?? []
        }
        let own = await ownBookings(ifTaken: slots + nearby, schedule)
        var availability = makeAvailability(slots, range, schedule, .server, own)
        availability.explanation = question.map { question in
            let (time, now) = (question.time, clock.now)
            let isTaken = nearby.contains {
                $0.start.instant == time.instant && !$0.isAvailable
            }
            let rule = question.schedule.rule(blocking: time.instant, now: now)
            let free = nearby.filter { $0.isAvailable && $0.start.instant > time.instant }
            return explanation(
                question,
                rule ?? (isTaken ? .taken : nil),
                own,
                free.prefix(3).map(\.start)
            )
        }
        return availability
    }

    /// The availability with the slots that follow from the salon's hours and the known appointments.
    func compute(
        _ range: Range,
        _ question: Question?,
        _ schedule: Schedule
    ) async throws(AvailabilityError) -> Availability {
        let known = try await knownAppointments()
        let booked = Self.booked(known.value, at: schedule.salon)
        let own = ownBookings.bookings(among: booked)
        let minutes = schedule.salon.appointmentMinutes
        let busy = booked.map { BusyInterval(start: $0.booking.time.instant, minutes: minutes) }
        let (start, end, now) = (range.from.instant, range.to.instant, clock.now)
        let slots = schedule.slots(from: start, to: end, busy: busy, now: now)
        let source = Availability.Source.computed(appointments: known.provenance)
        var availability = makeAvailability(slots, range, schedule, source, own)
        availability.explanation = question.map { question in
            let (time, schedule) = (question.time, question.schedule)
            return explanation(
                question,
                schedule.rule(blocking: time.instant, busy: busy, now: now),
                own,
                schedule.alternatives(to: max(time.instant, now), busy: busy, now: now)
            )
        }
        return availability
    }

    private func makeAvailability(
        _ slots: [Slot],
        _ range: Range,
        _ schedule: Schedule,
        _ source: Availability.Source,
        _ own: [OwnBooking]
    ) -> Availability {
        Availability(
            schedule: schedule,
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
            // The slots that follow from the salon's hours are still worth showing.
            let error = ServerError.unavailable(reason: reason, retryAfterSeconds: seconds)
            return Loaded(value: [], provenance: Provenance(source: .none, serverError: error))
        } catch {
            throw .load(error)
        }
    }

    /// The caller's own bookings at the salon. The appointments are only loaded if a slot is taken,
    /// and without them it remains unknown who took it.
    private func ownBookings(ifTaken slots: [Slot], _ schedule: Schedule) async -> [OwnBooking] {
        let now = clock.now
        let isAnyTaken = slots.contains { slot in
            let rule = schedule.bookingWindowRule(blocking: slot.start.instant, now: now)
            return !slot.isAvailable && rule == nil
        }
        guard isAnyTaken, let known = try? await appointments.load(.cacheFirst) else { return [] }
        return ownBookings.bookings(among: Self.booked(known.value, at: schedule.salon))
    }

    private static func booked(_ appointments: [Appointment], at salon: Salon) -> [Appointment] {
        appointments.filter { $0.booking.salonID == salon.id && $0.status == .booked }
    }

    private func explanation(
        _ question: Question,
        _ rule: BlockingRule?,
        _ own: [OwnBooking],
        _ free: [AppointmentTime]
    ) -> Availability.Explanation {
        let (salon, start) = (question.schedule.salon, question.time.instant)
        let end = start.advanced(bySeconds: Int64(salon.appointmentMinutes) * 60)
        return Availability.Explanation(
            time: question.time,
            rule: rule,
            ownBooking: rule == .taken
                ? own.first { $0.appointment.overlaps(start, end, at: salon) } : nil,
            alternatives: rule == nil ? [] : free
        )
    }
}
