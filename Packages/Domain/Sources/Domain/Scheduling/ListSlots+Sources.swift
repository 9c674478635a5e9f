extension ListSlots {
    /// The slots that the server offers; nil if it offers none or cannot be reached.
    func offered(
        _ range: (from: AppointmentTime, to: AppointmentTime),
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
        case .slots(let slots): return slots.map { judge($0, by: schedule) }
        }
    }

    /// The slot on the salon's clock, available only if the scheduling rules allow it, too.
    private func judge(_ slot: Slot, by schedule: Schedule) -> Slot {
        let rule = schedule.rule(blocking: slot.start.instant, now: clock.now)
        return Slot(
            start: schedule.clock.time(at: slot.start.instant),
            end: schedule.clock.time(at: slot.end.instant),
            isAvailable: slot.isAvailable && rule == nil
        )
    }

    func answer(
        _ slots: [Slot],
        to question: Question?,
        _ salon: Salon
    ) async throws(AvailabilityError) -> Availability {
        var answer = Availability(salon: salon, slots: slots, source: .server)
        guard let question else { return answer }
        // The slots of the next two days show whether it is taken, and what is free instead.
        let (time, schedule) = (question.time, question.schedule)
        let around = (time, time.advanced(byMinutes: 2_880))
        let offered = try await offered(around, by: schedule) ?? []
        let isTaken = offered.contains {
            $0.start.instant == time.instant && !$0.isAvailable
        }
        let rule = schedule.rule(blocking: time.instant, now: clock.now)
        let free = offered.filter { $0.isAvailable && $0.start.instant > time.instant }
        answer.explanation = explanation(
            time,
            rule ?? (isTaken ? .taken : nil),
            free.prefix(3).map(\.start)
        )
        return answer
    }

    func compute(
        _ range: (from: AppointmentTime, to: AppointmentTime),
        _ question: Question?,
        _ schedule: Schedule
    ) async throws(AvailabilityError) -> Availability {
        let known = try await known()
        let (id, minutes) = (schedule.salon.id, schedule.salon.appointmentMinutes)
        let busy = known.value.filter { $0.booking.salonID == id && $0.status == .booked }
            .map { BusyInterval(start: $0.booking.time.instant, minutes: minutes) }
        let (start, end, now) = (range.from.instant, range.to.instant, clock.now)
        return Availability(
            salon: schedule.salon,
            slots: schedule.slots(from: start, to: end, busy: busy, now: now),
            source: .computed(appointments: known.provenance),
            explanation: question.map { question in
                let (time, own) = (question.time, question.schedule)
                return explanation(
                    time,
                    own.rule(blocking: time.instant, busy: busy, now: now),
                    own.alternatives(to: max(time.instant, now), busy: busy, now: now)
                )
            }
        )
    }

    private func known() async throws(AvailabilityError) -> Loaded<[Appointment]> {
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

    private func explanation(
        _ time: AppointmentTime,
        _ rule: BlockingRule?,
        _ free: [AppointmentTime]
    ) -> Availability.Explanation {
        .init(time: time, rule: rule, alternatives: rule == nil ? [] : free)
    }
}
