/// What can be found wrong with a time at a salon before it is booked, or an appointment moved to
/// it: by what is known of the salon, and by asking the remote.
struct SlotCheck: Sendable {
    let remote: any BookingRemote
    let salons: any SalonDirectory
    let zones: any ZoneSource
    let clock: any WallClock

    /// Checks the time of `request` by the rules of its salon; gives the salon, where it is known.
    @discardableResult
    func check(_ request: BookingRequest) async throws(BookingError) -> Salon? {
        switch await salons.salon(request.salonID) {
        case .known(let salon):
            try await check(request, in: salon)
            return salon
        case .absent: throw .salonNotFound(request.salonID)
        case .unknown: return nil
        }
    }

    /// Asks the remote whether the slot is free, where it tells.
    func confirmAvailability(of request: BookingRequest) async throws(BookingError) {
        let availability: SlotAvailability
        do throws(RemoteError) {
            availability = try await remote.availability(for: request)
        } catch {
            throw BookingError(beforeSending: error)
        }
        switch availability {
        case .available, .notOffered: return
        case .salonNotFound: throw .salonNotFound(request.salonID)
        case .taken(let alternatives): throw .slotUnavailable(alternatives: alternatives)
        }
    }

    /// A salon in a zone that is not known here is left to the remote.
    private func check(_ request: BookingRequest, in salon: Salon) async throws(BookingError) {
        let offset = request.time.offsetMinutes
        guard let clock = try? SalonClock(of: salon, zones: zones, offsetMinutes: offset) else {
            return
        }
        do throws(TimeRefusal) {
            _ = try clock.read(.wallClock(request.time))
        } catch {
            throw .invalidTime(error)
        }
        let schedule = Schedule(of: salon, on: clock)
        do throws(BookingError) {
            try BookingRules.check(request, by: schedule, now: self.clock.now)
        } catch {
            guard case .notBookable(let rule, let reason, let open) = error else { throw error }
            let free = await free(among: open, for: request)
            throw .notBookable(rule: rule, reason: reason, alternatives: free)
        }
    }

    /// Those of the times that are open which the remote knows to be free, where it tells.
    private func free(
        among open: [AppointmentTime],
        for request: BookingRequest
    ) async -> [AppointmentTime] {
        guard let first = open.first else { return [] }
        var nearest = request
        nearest.time = first
        switch try? await remote.availability(for: nearest) {
        case .available: return [first]
        case .taken(let alternatives): return alternatives
        case .notOffered, .salonNotFound, nil: return open
        }
    }
}
