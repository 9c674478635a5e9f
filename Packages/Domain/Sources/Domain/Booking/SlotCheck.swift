/// Checks the time of a booking, or of a move, before it is sent: by what is known of the salon, and
/// by asking the server.
struct SlotCheck: Sendable {
    let remote: any BookingRemote
    let salons: any SalonDirectory
    let zones: any ZoneSource
    let clock: any WallClock

    /// Checks the time of `request` by the rules of its salon; returns the salon, where it is known.
    ///
    /// A cached salon rejects nothing: it is reloaded first, and where that fails the server decides.
    @discardableResult
    func check(_ request: BookingRequest) async throws(BookingError) -> Salon? {
        var lookup = await salons.salon(request.salonID)
        if case .known(let salon, isCurrent: false) = lookup,
            rejection(of: request, by: salon) != nil
        {
            lookup = await salons.reloadedSalon(request.salonID)
        }
        switch lookup {
        case .known(let salon, _):
            guard let rejection = rejection(of: request, by: salon) else { return salon }
            throw await offeringFreeTimes(rejection, for: request)
        case .absent: throw .salonNotFound(request.salonID)
        case .unknown: return nil
        }
    }

    /// Asks the server whether the slot is free, where it offers to tell and is able to.
    func confirmAvailability(of request: BookingRequest) async throws(BookingError) {
        let availability: SlotAvailability
        do throws(RemoteError) {
            availability = try await remote.availability(for: request)
        } catch .unavailable {
            return
        } catch {
            throw BookingError(beforeSending: error)
        }
        switch availability {
        case .available, .notOffered: return
        case .salonNotFound: throw .salonNotFound(request.salonID)
        case .taken(let alternatives): throw .slotUnavailable(alternatives: alternatives)
        }
    }

    /// Why `salon` does not take `request`; nil if it may. A salon in a zone that is not known here
    /// is left to the server.
    private func rejection(of request: BookingRequest, by salon: Salon) -> BookingError? {
        let offset = request.time.offsetMinutes
        guard let clock = try? SalonClock(of: salon, zones: zones, offsetMinutes: offset) else {
            return nil
        }
        do throws(InvalidTimeError) {
            _ = try clock.read(.wallClock(request.time))
        } catch {
            return .invalidTime(error)
        }
        do throws(BookingError) {
            try BookingRules.check(request, by: Schedule(of: salon, on: clock), now: self.clock.now)
            return nil
        } catch {
            return error
        }
    }

    /// The rejection with those of its open times that the server knows to be free, where it tells.
    private func offeringFreeTimes(
        _ rejection: BookingError,
        for request: BookingRequest
    ) async -> BookingError {
        guard case .notBookable(let rule, let reason, let open) = rejection, let first = open.first
        else { return rejection }
        var nearest = request
        nearest.time = first
        let free: [AppointmentTime]
        switch try? await remote.availability(for: nearest) {
        case .available: free = [first]
        case .taken(let alternatives): free = alternatives
        case .notOffered, .salonNotFound, nil: free = open
        }
        return .notBookable(rule: rule, reason: reason, alternatives: free)
    }
}
