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
