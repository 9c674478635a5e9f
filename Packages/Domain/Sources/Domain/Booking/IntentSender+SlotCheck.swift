// Checks the time of a booking or change before it is sent: against the salon's rules, and against
// the availability that the server reports.
extension IntentSender {
    /// Checks the time of `request` against the rules of its salon. If the server reports
    /// availability, a rejection suggests only free times. `moved` is the appointment that the request
    /// moves, or nil.
    func check(
        _ request: BookingRequest,
        moving moved: Appointment? = nil,
        at salon: inout RequestedSalon
    ) async throws(Failure) {
        do {
            try await salon.check(request, moving: moved, now: clock.now)
        } catch .outsideOpeningHours(let hours, let reason, let open) {
            let free = await freeTimes(of: open, for: request, moving: moved?.id)
            throw .outsideOpeningHours(hours, reason: reason, alternatives: free)
        } catch .notBookable(let rule, let reason, let open) {
            let free = await freeTimes(of: open, for: request, moving: moved?.id)
            throw .notBookable(rule: rule, reason: reason, alternatives: free)
        }
    }

    /// Throws if the server reports that the slot is taken or not offered, or has no such salon, or if
    /// the query fails. Does nothing if the server does not report availability, or cannot serve the query at
    /// the moment. `id` is that of the appointment that the request moves, or nil.
    func confirmAvailability(
        of request: BookingRequest,
        moving id: String? = nil
    ) async throws(Failure) {
        let availability: SlotAvailability
        do {
            availability = try await server.availability(for: request, moving: id, now: clock.now)
        } catch .unavailable {
            return
        } catch .invalidData where id != nil {
            // A server need not know the appointment's service anymore, or that it moves.
            return
        } catch {
            throw error.beforeSending
        }
        switch availability {
        case .available, .unsupported: return
        case .salonNotFound: throw .salonNotFound(request.salonID)
        case .taken(let alternatives): throw .slotUnavailable(alternatives: alternatives)
        case .notOffered(let alternatives):
            throw .notBookable(
                rule: "other",
                reason: "the server does not offer this time",
                alternatives: alternatives
            )
        }
    }

    /// Alternatives that the server reports as free; all `open` times if it does not report
    /// availability. Those before the requested time are looked for from the first of them on, and so
    /// are those after it.
    private func freeTimes(
        of open: [AppointmentTime],
        for request: BookingRequest,
        moving id: String?
    ) async -> [AppointmentTime] {
        let wanted = request.time.instant
        let earlier = open.filter { $0.instant < wanted }
        let later = open.filter { $0.instant > wanted }
        return await freeTimes(from: earlier, for: request, moving: id)
            .filter { $0.instant < wanted }.suffix(AlternativeSearch.count)
            + (await freeTimes(from: later, for: request, moving: id))
            .filter { $0.instant > wanted }.prefix(AlternativeSearch.count)
    }

    private func freeTimes(
        from open: [AppointmentTime],
        for request: BookingRequest,
        moving id: String?
    ) async -> [AppointmentTime] {
        guard let first = open.first else { return [] }
        var nearest = request
        nearest.time = first
        return switch try? await server.availability(for: nearest, moving: id, now: clock.now) {
        case .available(let later): [first] + later
        case .taken(let alternatives), .notOffered(let alternatives): alternatives
        case .unsupported, .salonNotFound, nil: open
        }
    }
}
