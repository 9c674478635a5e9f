extension ChangeSalon {
    /// What happens to the appointments of a salon whose clock changes.
    enum Appointments {
        /// The appointments stay at their instants.
        case stay
        /// The appointments are to move, so that they keep their local times.
        case areToMove
        /// The appointments have moved.
        case haveMoved
    }

    /// The result of a change, with the appointments that conflict with `after`.
    func makeChange(
        _ outcome: SalonChange.Outcome,
        from before: Salon?,
        to after: Salon,
        _ effect: Appointments = .stay
    ) async -> SalonChange {
        var change = SalonChange(outcome: outcome, before: before, after: after)
        do {
            let finder = try SalonConflicts(of: after, zones: zones)
            var list: [Appointment]
            (list, change.appointmentsError) = await appointments { appointment in
                appointment.booking.salonID == after.id && appointment.isActive
            }
            let salon = effect == .haveMoved ? after : before ?? after
            let shown = SalonClock(zoneOf: salon, zones: zones)
            if let shown { list = list.map { $0.shown(on: shown) } }
            let now = clock.now
            if effect == .areToMove, let new = SalonClock(zoneOf: after, zones: zones) {
                let moved = list.map { $0.moved(to: new, now: now) }
                change.moved = zip(list, moved).count { $0 != $1 }
                list = moved
            }
            // Appointments keep the length that was booked. If the server does not state it, it is the
            // length before the change.
            let then = before ?? after
            let busy = BusyInterval.list(of: list, at: then)
            let booked = zip(list, busy).map {
                SalonConflicts.Booked($0, minutes: $0.minutes(at: then), busy: $1)
            }
            change.conflicts = finder.conflicts(among: booked, now: now)
        } catch {
            change.appointmentsError = error.description
        }
        return change
    }

    /// Predicts a deletion. A server that follows the contract deletes no salon with bookings.
    func deletionPreview(of salon: Salon) async throws(Failure) -> SalonChange {
        let now = clock.now
        let (bookings, error) = await appointments { appointment in
            let booking = appointment.booking
            return booking.salonID == salon.id && appointment.isActive
                && booking.time.instant > now
        }
        if !bookings.isEmpty {
            throw .salonHasBookings(salon.id, reason: "it has \(bookings.count) in the future")
        }
        var change = SalonChange(outcome: .deleted, before: salon, after: nil)
        change.appointmentsError = error
        return change
    }

    /// The server's appointments that satisfy `isWanted`, in order of time, and why some may be
    /// missing.
    private func appointments(
        where isWanted: (Appointment) -> Bool
    ) async -> (appointments: [Appointment], error: String?) {
        let list: ReportedAppointments
        do { list = try await appointments.lookUp() } catch {
            return ([], "the appointments could not be listed: \(error)")
        }
        let readable = list.appointments.compactMap(\.appointment)
        let isComplete = list.isComplete && readable.count == list.appointments.count
        return (
            readable.filter(isWanted).sorted { $0.booking.time < $1.booking.time },
            isComplete ? nil : "the server's list of appointments is incomplete"
        )
    }
}

extension Appointment {
    /// The length of this appointment at `salon`; nil if it is unknown.
    fileprivate func minutes(at salon: Salon) -> Int? {
        end(at: salon).map { Int($0.instant.seconds(since: booking.time.instant) / 60) }
    }

    /// This appointment at the same instant, with the offset of `clock`.
    fileprivate func shown(on clock: SalonClock) -> Appointment {
        var appointment = self
        appointment.booking.time = clock.time(at: booking.time.instant)
        return appointment
    }

    /// This appointment at the instant at which `clock` shows its local time; unchanged if the
    /// appointment is not in the future, or there is no such instant, or there are several.
    fileprivate func moved(to clock: SalonClock, now: Timestamp) -> Appointment {
        guard booking.time.instant > now,
            case .unique(let instant) = clock.reading(of: booking.time.localTime)
        else { return self }
        var appointment = self
        appointment.booking.time = clock.time(at: instant)
        let seconds = instant.seconds(since: booking.time.instant)
        appointment.endTime = endTime.map {
            clock.time(at: $0.instant.advanced(bySeconds: seconds))
        }
        return appointment
    }
}
