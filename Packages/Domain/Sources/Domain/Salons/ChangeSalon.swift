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
