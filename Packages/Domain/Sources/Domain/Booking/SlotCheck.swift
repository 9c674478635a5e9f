/// Checks the time of a booking, or of a move, before it is sent: against the rules of the salon,
/// and by asking the server.
struct SlotCheck: Sendable {
    let server: any BookingAPI
    let salons: any SalonDirectory
    let zones: any ZoneSource
    let clock: any WallClock

    /// Looks up the salon `id`, in the cache while that is fresh.
    func salon(_ id: SalonID) async -> RequestedSalon {
        await RequestedSalon(id, in: salons, zones: zones)
    }

    /// Checks the time of `request` against the rules of its salon. The alternatives of a rejection
    /// are those that the server reports as free, if it reports that.
    func check(_ request: BookingRequest, at salon: inout RequestedSalon)
        async throws(BookingError)
    {
        do throws(BookingError) {
            try await salon.check(request, now: clock.now)
        } catch .outsideOpeningHours(let hours, let reason, let open) {
            let free = await freeTimes(of: open, for: request)
            throw .outsideOpeningHours(hours, reason: reason, alternatives: free)
        } catch .notBookable(let rule, let reason, let open) {
            let free = await freeTimes(of: open, for: request)
            throw .notBookable(rule: rule, reason: reason, alternatives: free)
        }
    }

    /// Asks the server whether the slot is free, if it can tell.
    func confirmAvailability(of request: BookingRequest) async throws(BookingError) {
        let availability: SlotAvailability
        do throws(ServerError) {
            availability = try await server.availability(for: request)
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

    /// Those of the `open` times that the server reports as free; all of them if it does not tell.
    private func freeTimes(
        of open: [AppointmentTime],
        for request: BookingRequest
    ) async -> [AppointmentTime] {
        guard let first = open.first else { return open }
        var nearest = request
        nearest.time = first
        return switch try? await server.availability(for: nearest) {
        case .available: [first]
        case .taken(let alternatives): alternatives
        case .notOffered, .salonNotFound, nil: open
        }
    }
}
