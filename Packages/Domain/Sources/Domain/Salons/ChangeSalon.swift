/// The use case that creates, replaces, and deletes salons: each request becomes one change or one
/// clear error.
///
/// A change names the version that it applies to, so it has no effect on a later one. It is sent
/// once. If no response states its outcome, the stored salon decides. Unlike a booking, a change is
/// not journaled: repeating it is safe, because a salon that is already as requested is reported as
/// unchanged.
public struct ChangeSalon: Sendable {
    let server: any SalonAPI
    let appointments: any BookingAPI
    private let cache: any ListCache<Salon>
    let counter: any ChangeCounter
    private let salons: any SalonDirectory
    let zones: any ZoneSource
    let clock: any WallClock

    /// Creates the use case. `counter` counts the changes to salons.
    public init(
        server: any SalonAPI,
        appointments: any BookingAPI,
        cache: any ListCache<Salon>,
        counter: any ChangeCounter,
        salons: any SalonDirectory,
        zones: any ZoneSource,
        clock: any WallClock
    ) {
        self.server = server
        self.appointments = appointments
        self.cache = cache
        self.counter = counter
        self.salons = salons
        self.zones = zones
        self.clock = clock
    }

    /// A change to send.
    enum Plan {
        case create(Salon)
        case replace(StoredSalon, with: Salon, keepsWallClock: Bool)
        /// The stored salon is already as requested, so nothing is sent.
        case keep(Salon)
        case delete(StoredSalon)
    }

    /// Sends `request`. It applies only to the version `version`; 0 means that the salon must not
    /// exist. By default it applies to the version that the salon in the request states, or
    /// otherwise to the current one; a salon that does not exist is created.
    ///
    /// If the stored salon already has the requested content, nothing is sent, whatever its
    /// version, unless the request moves appointments.
    public func change(
        _ request: SalonChangeRequest,
        version: Int? = nil
    ) async throws(Failure) -> SalonChange {
        let plan = try await plan(request, version)
        if Task.isCancelled { throw .cancelled }
        switch plan {
        case .keep(let salon): return await makeChange(.unchanged, from: salon, to: salon)
        case .create(let salon):
            return await confirm(.created, from: nil, to: salon, try await send(plan))
        case .replace(let current, let salon, let keepsWallClock):
            let confirmed = try await send(plan)
            var change = await confirm(.changed, from: current.salon, to: salon, confirmed)
            change.isMoveUnconfirmed = keepsWallClock && change.moved == nil
            return change
        case .delete(let current):
            _ = try await send(plan)
            var change = SalonChange(outcome: .deleted, before: current.salon, after: nil)
            change.cacheError = updateCache { try cache.remove(current.salon.id) }
            return change
        }
    }

    /// Predicts the result of ``change(_:version:)``. Throws the error that the change would throw,
    /// as far as it can be predicted. Only sends requests that change nothing: a server might
    /// ignore a parameter that asks for a dry run.
    public func preview(
        _ request: SalonChangeRequest,
        version: Int? = nil
    ) async throws(Failure) -> SalonChange {
        switch try await plan(request, version) {
        case .keep(let salon): return await makeChange(.unchanged, from: salon, to: salon)
        case .create(let salon): return await makeChange(.created, from: nil, to: salon.content)
        case .replace(let current, let salon, let keepsWallClock):
            let after = salon.content
            return await makeChange(
                .changed,
                from: current.salon,
                to: after,
                keepsWallClock ? .areToMove : .stay
            )
        case .delete(let current): return try await deletionPreview(of: current.salon)
        }
    }

    /// Looks up the stored salon and runs every check that is possible before sending.
    private func plan(
        _ request: SalonChangeRequest,
        _ version: Int?
    ) async throws(Failure) -> Plan {
        guard let current = try await storedSalon(request.id) else {
            // The version that a salon states may be from a different server.
            guard case .put(let salon, _) = request, version ?? 0 == 0 else {
                throw .salonNotFound(request.id)
            }
            return .create(salon)
        }
        if case .put(let salon, false) = request, salon.content == current.salon.content {
            return .keep(current.salon)
        }
        if let expected = version ?? request.version, !current.hasVersion(expected) {
            throw .salonVersionConflict(current: current.salon)
        }
        guard current.entityTag != nil else {
            throw .changesUnsupported(reason: "the salon has neither an entity tag nor a version")
        }
        switch request {
        case .put(let salon, let keepsWallClock):
            return .replace(current, with: salon, keepsWallClock: keepsWallClock)
        case .delete: return .delete(current)
        }
    }

    /// The stored salon; nil if it does not exist.
    private func storedSalon(_ id: SalonID) async throws(Failure) -> StoredSalon? {
        let lookup: StoredSalonLookup
        do { lookup = try await lookUp(id) } catch {
            throw error.beforeSending
        }
        switch lookup {
        case .stored(let stored): return stored
        case .absent: return nil
        case .unsupported, .absentOrUnsupported:
            throw .changesUnsupported(reason: Self.servesNoSalons)
        }
    }

    /// Requests the salon. If the response does not state whether it exists, the list decides.
    func lookUp(_ id: SalonID) async throws(Failure) -> StoredSalonLookup {
        let lookup = try await server.salon(id)
        guard lookup == .absentOrUnsupported else { return lookup }
        switch await salons.reloadedSalon(id) {
        case .absent: return .absent
        case .known: return .unsupported
        case .unknown: throw .connectivity(reason: "the list of salons could not be loaded")
        }
    }

    static let servesNoSalons = "it does not serve salons individually"
}

extension ChangeSalon {
    /// The result of a put that the server confirmed. The cached list is updated before the
    /// appointments are requested, which may take seconds.
    private func confirm(
        _ outcome: SalonChange.Outcome,
        from before: Salon?,
        to requested: Salon,
        _ confirmed: ConfirmedSalon?
    ) async -> SalonChange {
        let after = confirmed?.salon ?? requested
        let error = updateCache { try cache.add(after) }
        let moved = confirmed?.moved
        let effect = moved ?? 0 > 0 ? Appointments.haveMoved : .stay
        var change = await makeChange(outcome, from: before, to: after, effect)
        change.moved = moved
        change.cacheError = error
        change.isDifferentFromRequest = after.content != requested.content
        return change
    }

    /// Updates the cached list of salons. Returns the error instead of throwing it, because the
    /// change was made.
    private func updateCache(_ update: () throws -> Void) -> Failure? {
        counter.advance()
        do {
            try update()
            return nil
        } catch {
            return .cache(.insertion, error)
        }
    }
}

extension ChangeSalon {
    /// Sends a plan once. Returns the salon that the server stores now; nil for a deletion. If no
    /// response states the outcome, the stored salon decides.
    func send(_ plan: Plan) async throws(Failure) -> ConfirmedSalon? {
        // A list that was requested before the change must not be cached after it.
        counter.advance()
        do {
            CallBudget.current?.reserveLookup()
            defer { CallBudget.current?.release() }
            switch plan {
            case .keep(let salon): return ConfirmedSalon(salon)
            case .create(let salon): return try await confirmed(salon, replacing: nil)
            case .replace(let current, let salon, let keepsWallClock):
                return try await confirmed(salon, replacing: current, keepsWallClock)
            case .delete(let current):
                try await server.delete(current)
                return nil
            }
        } catch {
            switch error {
            case .noResponse, .accepted, .unproven, .versionConflict, .notFound, .noResource:
                return try await lookUp(plan, after: error)
            case .notSent where Task.isCancelled: throw .cancelled
            default: throw Failure(error, of: plan.id)
            }
        }
    }

    private func confirmed(
        _ salon: Salon,
        replacing current: StoredSalon?,
        _ keepsWallClock: Bool = false
    ) async throws(AttemptError) -> ConfirmedSalon {
        let echo = try await server.put(
            salon,
            replacing: current,
            keepsWallClock: keepsWallClock
        )
        if echo.salon.content == salon.content { return echo }
        throw .accepted(reason: "the server confirmed a salon that differs from the requested one")
    }

    /// Looks up the stored salon after an attempt that `error` leaves open. Proxies repeat
    /// requests, so a rejection may be the response to a second copy.
    private func lookUp(
        _ plan: Plan,
        after error: AttemptError
    ) async throws(Failure) -> ConfirmedSalon? {
        func doubt(_ problem: String) -> Failure {
            let reason = "\(error.reason); looking it up failed: \(problem)"
            return .salonInDoubt(
                plan.id,
                reason: reason,
                retryAfterSeconds: error.retryAfterSeconds
            )
        }
        let lookup: StoredSalonLookup
        do { lookup = try await self.lookUp(plan.id) } catch let failure {
            if case .unproven(.notAuthenticated(let reason)) = error,
                case .notAuthenticated = failure
            {
                throw .notAuthenticated(reason: reason)
            }
            throw doubt(failure.description)
        }
        let stored: StoredSalon?
        switch lookup {
        case .stored(let salon): stored = salon
        case .absent: stored = nil
        case .unsupported, .absentOrUnsupported: throw doubt(Self.servesNoSalons)
        }
        switch plan.evidence(in: stored) {
        case .done: return stored.map { ConfirmedSalon($0.salon) }
        case .notDone: throw plan.error(ifNotDone: error, stored)
        case .superseded:
            guard let stored else { throw .salonNotFound(plan.id) }
            // The server confirmed the put, and stores a salon of its own making.
            if case .accepted = error, !plan.isDeletion { return ConfirmedSalon(stored.salon) }
            throw .salonVersionConflict(current: stored.salon)
        }
    }
}

extension ChangeSalon.Plan {
    /// The conclusion that the stored salon allows about an attempt.
    enum Evidence {
        /// The salon is as requested.
        case done
        /// The salon has not changed. The request may still be in transit.
        case notDone
        /// The salon has changed to something else, so the request can no longer have an effect.
        case superseded
    }

    var id: SalonID {
        switch self {
        case .create(let salon), .keep(let salon), .replace(_, let salon, _): salon.id
        case .delete(let current): current.salon.id
        }
    }

    var isDeletion: Bool { if case .delete = self { true } else { false } }

    func evidence(in stored: StoredSalon?) -> Evidence {
        switch (self, stored) {
        case (.keep, _), (.delete, nil): .done
        case (.create, nil): .notDone
        case (.replace, nil): .superseded
        case (.create(let salon), let stored?):
            stored.salon.content == salon.content ? .done : .superseded
        case (.replace(let current, let salon, _), let stored?):
            // If a put only moves appointments, the salon has the requested content before and
            // after it, so only a new entity tag shows that it was done.
            if stored.entityTag == current.entityTag,
                stored.salon.content != salon.content || current.salon.content == salon.content
            {
                .notDone
            } else {
                stored.salon.content == salon.content ? .done : .superseded
            }
        case (.delete(let current), let stored?):
            stored.entityTag == current.entityTag ? .notDone : .superseded
        }
    }

    /// The error of an attempt that left the salon unchanged so far.
    func error(ifNotDone error: AttemptError, _ stored: StoredSalon?) -> Failure {
        switch error {
        // The server rejected the version that it still stores.
        case .versionConflict: .rejected(status: 412, reason: error.reason)
        // The server answers lookups of salons, so a 404 or 410 means that it does not offer this
        // method.
        case .notFound, .noResource: .changesUnsupported(reason: error.reason)
        default: Failure(error, of: id)
        }
    }
}

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
